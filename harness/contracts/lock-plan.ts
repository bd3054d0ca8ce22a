import type { PlannedFault } from "./fault.ts";
import type { ChangedDefault } from "./lock-adapter.ts";
import type { ConfiguredModule, ModuleRef } from "./module-ref.ts";
import type { TopologyName } from "./topology.ts";

/** Distribution of job times, in ms. */
export type JobTime =
  | { kind: "constant"; ms: number }
  /** Lognormal by its median and 99th percentile, cut at `maxMs`. */
  | { kind: "lognormal"; p50Ms: number; p99Ms: number; maxMs: number }
  /** Drawn from recorded values, ms. */
  | { kind: "recorded"; valuesMs: readonly number[] };

export interface PlannedArm {
  name: string;
  role: "control" | "lock";
  lock: ModuleRef & { options: Readonly<Record<string, string | number | boolean>> };
  /** What the lock's adapter does not leave at its library's defaults. */
  changedDefaults?: readonly ChangedDefault[];
  /** Does a worker ask the queue, after the grant, whether its delivery is still the latest? */
  look: boolean;
}

export interface PlannedArrival {
  job: string;
  key: string;
  /** Microseconds since the start of the round's load. */
  atUs: number;
  durationUs: number;
}

export interface PlannedRound {
  /** From 1. */
  round: number;
  /** Indices into `arms`, in the order in which they run. */
  order: readonly number[];
  arrivals: readonly PlannedArrival[];
  faults: readonly PlannedFault[];
}

/** The whole experiment as data: everything random is decided. It prints, is stored, and replays. */
export interface LockPlan {
  schema: "harness.plan/1";
  kind: "lock";
  seed: number;
  topology: TopologyName;
  workers: number;
  concurrency: number;
  ttlMs: number;
  /** How often a worker renews a lock that leaves that to its user, ms. Absent: never. */
  renewEveryMs?: number;
  visibilityMs: number;
  claimIntervalMs: number;
  /** `inside`: acknowledged before the release; `after`: released before the acknowledgement, as the article does. */
  ack: "inside" | "after";
  /** What happens to a job whose lock was refused: `leave` it pending, or `drop` it. */
  onSkip: "leave" | "drop";
  fencing: "on" | "off";
  queue: ConfiguredModule;
  queueOn: "lock" | "own";
  /** `idempotent`: doing the job twice is no harm. */
  job: ModuleRef & { time: JobTime; idempotent?: boolean };
  /** Client-side limit for a Redis command of the lock, ms; absent: the client's default. */
  commandTimeoutMs?: number;
  load:
    | { kind: "open"; perMinute: number; arrivals: "poisson" | "constant"; keys: "per-job" | number }
    /**
     * Each worker ends after so many `cycles`, if that is given, and holds each lock for a time from 0 to `holdMs`, spread
     * evenly; else not at all.
     */
    | { kind: "max"; inFlight: number; cycles?: number; holdMs?: number };
  /** Length of the load of one round, ms. */
  roundMs: number;
  arms: readonly PlannedArm[];
  rounds: readonly PlannedRound[];
  /** True: every node is reached through the fault proxy. */
  proxied: boolean;
  /** True: the commands of every lock node are traced, which costs throughput. Absent: they are not. */
  trace?: boolean;
  /** Name of the profile that the faults come from, if one was named. */
  profile?: string;
}
