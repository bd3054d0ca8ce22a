import type { FaultDescription, FaultParameters } from "../../contracts/fault.ts";
import type { FaultDefinition } from "../fault.ts";
import type { Command } from "./resp/command.ts";

/** Which way bytes go: from the client to the node, or back. */
export type Direction = "requests" | "replies";

/**
 * A fault of the network. `prepare` runs in the proxy, once per fault that is set: it reads the parameters and makes what
 * all links share, such as a count. What it returns is called once per connection, before that connection's first byte.
 */
export interface NetworkFaultDefinition extends FaultDefinition {
  prepare(parameters: FaultParameters): (link: Link) => LinkFault;
  /** True: while it lasts, the nodes' listeners take no connections. */
  refusesConnections?: boolean;
  /** True: it finds its links by its parameters; the targets do not count. */
  choosesLinks?(parameters: FaultParameters): boolean;
}

/** One connection, as a fault on it sees it. */
export interface Link {
  /** `client:2`, `node:3`, `sentinel:1`, or `other` for an address that has no name. */
  readonly source: string;
  /** `node:1`. */
  readonly node: string;
  /** Uniform in [0, 1); seeded by the run's seed, the fault, and which connection of its source to its node this is. */
  readonly random: () => number;
  /** Does something once all bytes that came before have been written. */
  after(direction: Direction, action: () => void): void;
  /** TCP RST to both sides. */
  reset(): void;
  /** Closes both sides in an orderly way. */
  close(): void;
  /** Tells the run of a command once it has been written to the node; for watches. */
  report(command: Command): void;
  /** Tells the run of a command now. */
  reportNow(command: Command): void;
}

/** What one fault does to one connection. Every part is optional. */
export interface LinkFault {
  /** Cuts and delays bytes. */
  shape?: Partial<Record<Direction, Shaper>>;
  /** Lets nothing out: `hold` keeps it for later, `lose` drops it. */
  gate?: Partial<Record<Direction, "hold" | "lose">>;
  /** Looks at every complete request. */
  command?(command: Command): CommandAction | undefined;
  /** Ms by which the end of the stream is late. */
  closeDelayMs?: Partial<Record<Direction, number>>;
  /** The fault is over for this connection, which lives on or is closing. */
  end?(): void;
}

/** Passes bytes on, in order, as one or more pieces. `dueMs` is on the scale of `performance.now()` and may only grow. */
export type Shaper = (bytes: Buffer, dueMs: number, pass: (bytes: Buffer, dueMs: number) => void) => void;

export type CommandAction =
  /** The request, and all after it, do not arrive. */
  | { kind: "lose-request" }
  /** The request is not forwarded; this takes the place of its reply. */
  | { kind: "answer"; bytes: Buffer }
  /** The request is forwarded twice; its second reply is eaten. */
  | { kind: "twice" }
  /** The request, and all behind it, wait; Infinity: until the fault is over. */
  | { kind: "delay-request"; ms: number }
  | ReplyAction;

export type ReplyAction =
  | { kind: "eat-reply" }
  | { kind: "replace-reply"; bytes: Buffer }
  /** The reply, and all after it, do not arrive. */
  | { kind: "lose-reply" }
  /** Both sides are reset in place of the reply. */
  | { kind: "reset-at-reply" }
  /** The reply, and all behind it, wait; Infinity: until released. `arrived` is called when it is there. */
  | { kind: "delay-reply"; ms: number; arrived?(): void };

/** A fault's wish for one reply. It is void once the fault is over, but for the eating of replies that nobody asked for. */
export interface ReplyMark {
  readonly fault: { readonly isOver: boolean };
  readonly action: ReplyAction;
}

type Behaviour = Pick<NetworkFaultDefinition, "prepare" | "refusesConnections" | "choosesLinks"> &
  Pick<FaultDescription, "name" | "aliases" | "summary" | "parameters"> &
  Partial<Pick<FaultDescription, "look" | "targets">>;

/** Completes the definition of a network fault: what all of them have in common. */
export function networkFault(behaviour: Behaviour): NetworkFaultDefinition {
  return {
    group: "network",
    targets: ["link", "node", "client"],
    lasts: true,
    look: { colour: "network", pattern: "solid" },
    ...behaviour,
    async inject({ network }, fault) {
      if (!network) throw new Error(`${fault.name} needs the fault proxy, and this run has none`);
      const { atNs } = await network.setFault(fault.id, fault);
      return {
        injectedAtNs: atNs,
        heal: async () => (await network.clearFault(fault.id)).atNs,
      };
    },
  };
}

/** A parameter as a number; `fallback` if it was not given. */
export function numberOf(parameters: FaultParameters, name: string, fallback: number): number {
  const value = parameters[name];
  return value === undefined ? fallback : Number(value);
}

/** A parameter as text; `fallback` if it was not given. */
export function textOf<Text extends string = string>(
  parameters: FaultParameters,
  name: string,
  fallback: NoInfer<Text>,
): Text {
  const value = parameters[name];
  return value === undefined ? fallback : (String(value) as Text);
}
