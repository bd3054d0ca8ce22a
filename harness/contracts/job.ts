import type { Witness } from "./witness.ts";

/** One execution of a job by a worker: the part between grant and release. */
export interface JobExecution {
  job: string;
  key: string;
  /** Unique per job, delivery and worker incarnation. */
  execution: string;
  /** How long the job works, in ms, as planned. */
  durationMs: number;
  /** Present if the lock mints them. */
  fencingToken?: number;
  /** Aborted when the lock tells that it was lost. A careful job then makes no effect. */
  signal: AbortSignal;
  /** Takes the given time (ms). Rejects with the signal's reason when `signal` is given and aborts. */
  work(durationMs: number, options?: { signal?: AbortSignal }): Promise<void>;
  witness: Witness;
}

/** What a job does. */
export interface Job {
  /** True: doing it twice is no harm; its duplicates are counted but its state is unharmed. */
  idempotent?: boolean;
  /** True: it needs a fencing token and is not applicable to locks without one. */
  needsFencing?: boolean;
  perform(execution: JobExecution): Promise<void>;
}

/** A job module exports `job`, by name or as its default. */
export interface JobModule {
  job: Job;
}
