import type { FaultParameters } from "../../contracts/fault.ts";
import { type LinkChoice, takesIn } from "./link-selector.ts";
import type { Link, LinkFault, NetworkFaultDefinition } from "./network-fault.ts";
import { numberOf } from "./network-fault.ts";

/** A fault that has been set on the proxy, on all its links, present and to come. */
export class FaultInForce {
  readonly id: string;
  readonly definition: NetworkFaultDefinition;
  readonly links: readonly LinkChoice[];
  isOver = false;
  /** Connections that it was put on. */
  connections = 0;
  /** Commands that it did something to. */
  commands = 0;
  private readonly toxicity: number;
  private readonly attach: (link: Link) => LinkFault;

  constructor(
    id: string,
    definition: NetworkFaultDefinition,
    parameters: FaultParameters,
    links: readonly LinkChoice[],
  ) {
    this.id = id;
    this.definition = definition;
    this.links = links;
    this.toxicity = numberOf(parameters, "toxicity", 1);
    this.attach = definition.prepare(parameters);
  }

  takesIn(link: { source: string; node: string }): boolean {
    return takesIn(this.links, link);
  }

  /** What it does to this connection; undefined if it spares it. */
  on(link: Link): LinkFault | undefined {
    // The draw is made in any case, so that what follows does not depend on the toxicity.
    if (link.random() >= this.toxicity) return undefined;
    this.connections++;
    return this.attach(link);
  }
}
