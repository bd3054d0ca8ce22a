import type { CrdtRef } from "./adapter/crdt-ref.ts";

/** What to run, as `harness converge` and the library take it. */
export interface ConvergeOptions {
  crdts: readonly CrdtRef[];
  /** 2 to 9. Default: 3. */
  regions?: number;
  /** Events per schedule, on the average: each has two to four thirds of it. Default: 60. */
  ops?: number;
  /** Schedules per CRDT. With `timeMs`, the first limit reached ends it. */
  schedules?: number;
  /** Time per CRDT. Default: 10 s, unless `schedules` is given. */
  timeMs?: number;
  /** Default: drawn. */
  seed?: number;
  /** 0: one, without a deadline for its steps; see `unguarded`. Default: one per core. */
  threads?: number;
  /**
   * Where 0 threads run. `caller`: in the caller's own thread, which hears nothing, no signal either, until a step returns.
   * `worker`: in a worker thread, so that a signal is heard whatever a step does. Default: `caller`.
   */
  unguarded?: "caller" | "worker";
  /** Default: `{ index: 0, count: 1 }`, all of it. */
  shard?: { index: number; count: number };
  /** `all`: every oracle after every step and schedule. Default: `tiers`. */
  oracles?: "tiers" | "all";
  /** Run only the schedule with this index, as the command that replays a failure does. */
  index?: number;
  /** File to which every step is written before it runs, for crashes that take the process along. */
  journal?: string;
  /** A step that takes longer is a CRASH. Default: 5 s. */
  stepDeadlineMs?: number;
  /** Search all schedules up to a depth instead of random ones. */
  exhaustive?: { depth: number; symmetry?: boolean; alphabet?: "standard" | "full" };
  /** Each CRDT is expected to be broken: stop at the first failure by an oracle that belongs to it. */
  zoo?: boolean;
  /** Aborted: what was found so far is kept and told. */
  signal?: AbortSignal;
  onProgress?: (progress: ConvergeProgress) => void;
}

export interface ConvergeProgress {
  phase: "fuzz" | "zoo" | "exhaustive" | "shrink";
  crdt: string;
  /** Number of this CRDT, from 0, and how many there are. */
  number: number;
  of: number;
  elapsedMs: number;
  /** Of this CRDT; absent where only schedules limit it. */
  timeMs?: number;
  schedules: number;
  /** Of this CRDT; absent where only time limits it. */
  schedulesInAll?: number;
  schedulesPerSecond: number;
  failed: number;
}

/** The options with everything decided. */
export interface ResolvedConverge {
  crdts: readonly CrdtRef[];
  mode: "fuzz" | "zoo" | "exhaustive";
  regions: number;
  ops: number;
  schedules: number | undefined;
  timeMs: number | undefined;
  seed: number;
  threads: number;
  unguarded: "caller" | "worker";
  shard: { index: number; count: number };
  all: boolean;
  index: number | undefined;
  journal: string | undefined;
  stepDeadlineMs: number;
  exhaustive: { depth: number; symmetry: boolean; alphabet: "standard" | "full" };
  signal: AbortSignal | undefined;
  onProgress: ((progress: ConvergeProgress) => void) | undefined;
}
