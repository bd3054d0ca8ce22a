import type { ExportRequest, Replica, ReplicaContext, StableCut, Stamp } from "../../contracts/crdt-adapter.ts";
import type { Operation } from "../../contracts/crdt-fields.ts";
import type { Declaration } from "./declaration.ts";
import type { Line, Step } from "./line.ts";

/** What is looked at after every change, and therefore asked for together with it. */
const LOOKED_AT = ["value", "state", "version", "stamp", "tombstones"] as const;
type LookedAt = (typeof LOOKED_AT)[number];

/** One replica of another process, from this side. */
export class ProcessReplica implements Replica {
  private readonly line: Line;
  private readonly number: number;
  private readonly context: ReplicaContext;
  private readonly looks: readonly LookedAt[];
  private readonly seen = new Map<LookedAt, unknown>();
  readonly state?: () => unknown;
  readonly version?: () => unknown;
  readonly stamp?: () => Stamp | undefined;
  readonly tombstones?: () => number;
  readonly collect?: (cut: StableCut) => void;
  readonly rights?: (field: string, key: string) => number;

  constructor(line: Line, can: Declaration["can"], number: number, context: ReplicaContext, birth: readonly Step[]) {
    this.line = line;
    this.number = number;
    this.context = context;
    this.looks = LOOKED_AT.filter((look) => look === "value" || can.has(look));
    if (can.has("state")) this.state = () => this.seen.get("state");
    if (can.has("version")) this.version = () => this.seen.get("version");
    if (can.has("stamp")) this.stamp = () => (this.seen.get("stamp") as Stamp | null) ?? undefined;
    if (can.has("tombstones")) this.tombstones = () => this.seen.get("tombstones") as number;
    if (can.has("collect")) this.collect = (cut) => void this.change(["collect", number, cut]);
    if (can.has("rights")) this.rights = (field, key) => this.ask(["rights", number, field, key]) as number;
    const { id, index, regions, clock, locale, genesis } = context;
    const shown = { id, index, number: context.number, regions, wallMs: clock.now(), locale, genesis: genesis ?? null };
    const steps = birth.map(([name, saved, lost]): Step => {
      if (name === "reset") return ["reset"];
      return name === "create" ? ["create", number, shown] : ["load", number, saved, shown, lost];
    });
    this.changeAll(steps);
  }

  apply(operation: Operation): string | undefined {
    return asRefusal(this.change(["apply", this.number, operation, this.context.clock.now()]));
  }

  export(encoding: string, request: ExportRequest): unknown {
    return this.ask(["export", this.number, encoding, { ...request, since: request.since ?? null }]) ?? undefined;
  }

  receive(message: unknown): string | undefined {
    return asRefusal(this.change(["receive", this.number, message, this.context.clock.now()]));
  }

  value(): unknown {
    return this.seen.get("value");
  }

  save(): unknown {
    return this.ask(["save", this.number]);
  }

  private ask(step: Step): unknown {
    return this.line.ask([step])[0];
  }

  /** One line for a change and for all that is looked at after it. */
  private change(step: Step): unknown {
    return this.changeAll([step])[0];
  }

  private changeAll(steps: readonly Step[]): readonly unknown[] {
    const results = this.line.ask([...steps, ...this.looks.map((look): Step => [look, this.number])]);
    this.looks.forEach((look, at) => void this.seen.set(look, results[steps.length + at]));
    return results.slice(0, steps.length);
  }
}

const asRefusal = (result: unknown): string | undefined => (result === null ? undefined : (result as string));
