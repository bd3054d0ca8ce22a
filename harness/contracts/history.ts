/**
 * The history: append-only facts of a run. Times are CLOCK_MONOTONIC, one clock for every process of the machine, as
 * integer nanoseconds since the run's start. Everything the checks know, they know from here.
 */
export type Operation =
  /** A job was added to the queue by the load generator: invoke when sent (detail.plannedAtNs), ok when the queue confirmed it. */
  | "arrive"
  | "deliver"
  /**
   * ok: `granted`. fail: `refused` (detail.reason, when the lock gives one other than that it is held) or `failed`.
   * info: `indeterminate`. The invoke is written before the call, so as not to delay it: what came of it says in
   * detail.tookNs how long the call itself took. A saturation benchmark may leave the invoke out.
   */
  | "acquire"
  /** Asks the queue whether the delivery is still the latest: ok with outcome `current` or `stale`. */
  | "look"
  | "extend"
  /** The lock told its holder that it is lost. */
  | "lost"
  /** The job's visible act. Its ok has outcome `first`, `repeated` or `fenced`. */
  | "effect"
  /**
   * An info with outcome `unknown` is the last word: nobody knows, and the lock is then not released. A fail with outcome
   * `gone`: the queue will never take it, since the delivery is another worker's by now.
   */
  | "ack"
  | "release"
  /** The delivery was given up: `outcome` says why (`refused`, `done`, `stale`, `lost`, `failed`), or that it was `dropped` by policy. */
  | "skip"
  /** The queue's own word to a worker: outcome `stalled`, `lock lost`, `failed` or `error`; the job if it was named. */
  | "queue"
  /** A fault's injection or healing, stamped as it happened: detail is a FaultDetail. */
  | "fault"
  /**
   * A worker incarnation: `started`, `ready` (detail.capabilities: what its lock can do), `stopping`, `exited`,
   * `crashed`, or `killed`: on purpose, stamped when it was gone; the fault's injection is stamped before the signal.
   */
  | "worker"
  /** `load-start`, `load-end`, `healed`, `drained`, `gave-up`. Offsets of faults and arrivals count from `load-start`. */
  | "round"
  /** A measurement of a worker (SampleDetail): memory, event loop lag, handles; also an unhandled rejection. */
  | "sample"
  /** An entry of the witness's log (WitnessDetail), in the log's order, stamped when the log was read. */
  | "witness"
  /** What a Redis node saw, past the proxy, stamped at its receipt: detail is a TraceDetail. Never in a benchmark. */
  | "trace";

/** The detail of a `fault` event. */
export interface FaultDetail {
  /** As in the plan: `f1`. */
  id: string;
  name: string;
  /** `worker:2`; several targets of one fault are joined by spaces. */
  target: string;
  params: Readonly<Record<string, number | string>>;
  /**
   * `inject` and `heal`; with `error` they were tried in vain. `observed`: nobody asked for it, but it was seen, such
   * as a failover.
   */
  action: "inject" | "heal" | "observed";
  /** ms since the start of the round's load; null: it waited for an event. */
  plannedAtMs: number | null;
  /** False: it happens at one instant, and no healing follows. */
  lasts?: boolean;
  error?: string;
}

/** The detail of a `witness` event. Fields of the event itself: job, key, execution, fencingToken, outcome (`accepted`, `fenced`, `would-refuse`). */
export interface WitnessDetail {
  effect?: string;
  /** When the witness took it, if known, ns since the run's start. */
  atNs?: number;
  /** For effects on a shared document. */
  document?: string;
  value?: number;
  /** Writes of the document so far, this one included. */
  version?: number;
  /** The version that this execution last read before it wrote. Absent: it never read, and can lose nobody's update. */
  readVersion?: number;
}

/** The detail of a `sample` event. */
export interface SampleDetail {
  /** Resident memory and used heap, bytes. */
  rssBytes?: number;
  heapUsedBytes?: number;
  loopDelayP99Ms?: number;
  /** How many handles and timers keep the process alive. */
  handles?: number;
  /** Taken after the lock was closed: kinds of what it left behind, such as `Timeout`, `TCPSocketWrap`. */
  leftOpen?: readonly string[];
  /** What closing the lock threw. */
  closeError?: string;
  /** Message of an unhandled rejection or uncaught exception. */
  unhandled?: string;
}

/**
 * The detail of a `trace` event. Of the event itself: `atNs` is the receipt, `key` the lock's key that the physical one
 * belongs to. Only physical keys of role `lock` are traced. The harness's own commands (polls, clean-up) are left out.
 */
export type TraceDetail =
  | {
      /** A line of MONITOR, in its order; the commands that a script calls follow the script's own line. */
      kind: "command";
      /** From 1. */
      node: number;
      db?: number;
      /** The server's own time of it, ms since the epoch with its fraction: moves with the server's clock. */
      serverMs: number;
      /** Upper case: `SET`, `DEL`, `EVALSHA`. */
      command: string;
      /** The key as it stands on the node; "" for commands on no key (`MULTI`, `EXEC`) or on all (`FLUSHALL`). */
      physicalKey: string;
      /** What follows the command, the key included, each cut to 64 characters. */
      args: readonly string[];
      /** Address of the client; `lua`: called by a script; `fault`: the harness, injecting a fault. */
      client: string;
      /** Worker whose connection it was, if known. */
      worker?: number;
      /** For `lua`: the arguments that the script was called with. */
      scriptArgs?: readonly string[];
    }
  | {
      /** A keyspace event. It comes on another connection than the commands: its place among them is not certain. */
      kind: "expired" | "evicted";
      node: number;
      db?: number;
      physicalKey: string;
    }
  | {
      /** What a poller read: the value, and PTTL in ms (-1: no TTL, -2: no key). */
      kind: "state";
      node: number;
      db?: number;
      physicalKey: string;
      value: string | null;
      pttlMs: number;
    }
  | {
      /** The node was not watched for so many ns before this event: what happened on it then is not known. */
      kind: "gap";
      node: number;
      forNs: number;
    }
  | {
      /** The proxy passed the last reply to a worker's acquire on. Absent where nothing held replies up. */
      kind: "reply";
      node: number;
      worker: number;
      physicalKey: string;
    };

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
