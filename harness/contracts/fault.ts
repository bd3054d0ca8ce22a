import type { TopologyName } from "./topology.ts";

/** The type and documentation of one parameter of a fault. The plan language, `list faults` and the docs read it. */
export interface FaultParameter {
  /**
   * `duration` is given with a unit and becomes ms; `signed-duration` may carry + or -; `rate` becomes bytes per second;
   * `size` bytes; `endpoints` names processes, joined by +, and is checked against the run: `client:1+node:2`.
   */
  type:
    | "duration"
    | "signed-duration"
    | "rate"
    | "size"
    | "probability"
    | "number"
    | "integer"
    | "string"
    | "enum"
    | "endpoints";
  summary: string;
  /** For `enum`. */
  values?: readonly string[];
  required?: boolean;
  /** Another parameter that must be given together with this one. */
  needs?: string;
  /** Another parameter that may not be given together with this one, since this one leaves it without a meaning. */
  excludes?: string;
  /** Another parameter that must not be greater than this one. */
  atLeast?: string;
  /** As a user would write it: `0.2ms`, `lognormal`. */
  default?: string;
  /** Smallest and greatest value, in the canonical unit. */
  min?: number;
  max?: number;
}

export type FaultTargetKind = "node" | "worker" | "client" | "link" | "queue" | "run";

/** Parameter values in canonical units: durations in ms, sizes in bytes, rates in bytes per second. */
export type FaultParameters = Readonly<Record<string, number | string>>;

/** `faketime`: libfaketime, preloaded into the servers; `small-disk`: the right to mount a file system. */
export type MachineNeed = "faketime" | "small-disk";

export type FaultGroup = "network" | "redis" | "worker";

/** What everyone may know of a fault without being able to inject it. */
export interface FaultDescription {
  /** The one name: that of `list faults`. */
  name: string;
  aliases?: readonly string[];
  group: FaultGroup;
  summary: string;
  parameters: Readonly<Record<string, FaultParameter>>;
  /** What it can be aimed at; the first is the default: `worker:any`, every node, ... */
  targets: readonly FaultTargetKind[];
  /** What it is aimed at when nothing is said, where that is neither `worker:any` nor every node: `node:1`. */
  defaultTarget?: string;
  /** Present where it takes more than any topology has: a failover takes a replica. */
  topologies?: readonly TopologyName[];
  /** False: it happens at one instant and has no `for` (a kill, a step of a clock). */
  lasts: boolean;
  /** What the machine must have for it; such faults are not drawn at random. */
  needs?: MachineNeed;
  /** True: refused on a server that the run does not own, unless allowed explicitly. */
  needsOwnServer?: boolean;
  /** True: it would destroy the queue, which then lives on a server of its own. */
  destroysQueue?: boolean;
  /** True: redeliveries and duplicates after it are inherent (a planned kill). */
  kills?: boolean;
  /** Colour on the charts: an index into the categorical palette, and a hatch for black and white. */
  look: { colour: "network" | "redis" | "worker" | "clock"; pattern: "solid" | "hatch" | "cross" | "dots" };
}

/** When a fault starts. Times are ms since the start of the round. */
export type FaultTrigger =
  | { kind: "at"; atMs: number }
  /** On the nth time that something happens, counted within the target (or anywhere), and `afterMs` later. */
  | {
      kind: "on";
      event: "grant" | "extend" | "release" | "effect" | "command";
      nth: number;
      afterMs: number;
      /** For `command`. */
      command?: string;
      keyPattern?: string;
    };

/** One fault of a plan, explicit: every random choice has been made. */
export interface PlannedFault {
  /** Unique within the round: `f1`, `f2`, ... */
  id: string;
  name: string;
  /** Explicit targets: `worker:2`, `node:1`, `client:1-node:3`. Never `any`. */
  targets: readonly string[];
  parameters: FaultParameters;
  trigger: FaultTrigger;
  /** How long it lasts, ms; absent for faults that happen at one instant. */
  forMs?: number;
}
