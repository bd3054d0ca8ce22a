/**
 * The history: append-only facts of a run. Times are CLOCK_MONOTONIC, one clock for every process of the machine, as
 * integer nanoseconds since the run's start. Everything the checks know, they know from here.
 */
export type Operation =
  /** A job was added to the queue by the load generator. */
  | "arrive"
  | "deliver"
  | "acquire"
  /** Asks the queue whether the delivery is still the latest. */
  | "look"
  | "extend"
  /** The lock told its holder that it is lost. */
  | "lost"
  | "effect"
  | "ack"
  | "release"
  /** The delivery was given up: `outcome` says why (`refused`, `stale`, `failed`). */
  | "skip"
  | "fault"
  /** A worker incarnation: started, ready, stopping, exited, crashed. */
  | "worker"
  /** Start of load, end of load, drained, given up. */
  | "round"
  /** A measurement of a worker: memory, event loop lag, handles. */
  | "sample"
  /** An entry of the witness's log. */
  | "witness";

/**
 * `invoke`: about to happen; `ok`: happened; `fail`: did not happen, for certain; `info`: nobody knows whether it
 * happened, as after a timeout, or a plain fact without a beginning.
 */
export type Phase = "invoke" | "ok" | "fail" | "info";

export interface HistoryEvent {
  /** Nanoseconds since the run's start, monotonic. Grants are stamped after the await returned; releases and effects before the call. */
  atNs: number;
  /** From 1. */
  round: number;
  arm: string;
  op: Operation;
  phase: Phase;
  /** From 1; 0 is the orchestrator. */
  worker: number;
  /** Counts the processes that played this worker in this round, from 1. */
  incarnation?: number;
  /** The worker's own wall clock, ms since the epoch, possibly faked. */
  wallMs?: number;
  /** `<job>/<attempt>@<worker>.<incarnation>`, unique within a round and arm. */
  execution?: string;
  key?: string;
  job?: string;
  /** Delivery count of the job, from 1. */
  attempt?: number;
  token?: string;
  fencingToken?: number;
  /** The library's claim, ms since the epoch in the worker's wall clock. */
  validUntilMs?: number;
  /** What came of it, in the words of the contract: granted, refused, not-owner, unknown, ... */
  outcome?: string;
  error?: string;
  /** Facts of one operation only, such as a fault's id and parameters or a worker's exit code. */
  detail?: Record<string, unknown>;
}

/** The first line of a stored history. */
export interface HistoryHeader {
  schema: "harness.history/1";
  runId: string;
  /** UTC, ISO 8601. */
  startedAt: string;
  /** CLOCK_MONOTONIC at the start, ns, as a decimal string. */
  startedAtMonotonicNs: string;
}
