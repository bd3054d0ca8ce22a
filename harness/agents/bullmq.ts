/**
 * The part of BullMQ that is used here. The package is a user's own, loaded when agents are asked for; whoever loads it
 * hands it in.
 */
export interface Bullmq {
  Queue: new (name: string, options: BullmqOptions) => BullmqQueue;
  QueueEvents: new (name: string, options: BullmqOptions) => BullmqQueueEvents;
  Worker: new (
    name: string,
    process: (job: BullmqJob, token?: string) => Promise<unknown>,
    options: BullmqOptions & {
      name: string;
      autorun: boolean;
      concurrency: number;
      lockDuration: number;
      stalledInterval: number;
      maxStalledCount: number;
      drainDelay: number;
    },
  ) => BullmqWorker;
  /** Thrown by a processor that has put its job back. */
  WaitingError: new () => Error;
  /** Thrown for a job that no retry will mend. */
  UnrecoverableError: new (
    message: string,
  ) => Error;
}

export interface BullmqOptions {
  connection: object;
  prefix: string;
}

export interface BullmqJob {
  id?: string;
  data: unknown;
  progress: unknown;
  returnvalue: unknown;
  failedReason?: string;
  /** Counts the times that a worker took it. */
  attemptsStarted: number;
  updateProgress(progress: object): Promise<void>;
  moveToWait(token?: string): Promise<unknown>;
  getState(): Promise<string>;
  remove(): Promise<void>;
}

export interface BullmqQueue {
  on(event: "error", listener: (error: Error) => void): void;
  waitUntilReady(): Promise<unknown>;
  addBulk(jobs: { name: string; data: object; opts: object }[]): Promise<unknown>;
  getJob(id: string): Promise<BullmqJob | undefined>;
  getWorkersCount(): Promise<number>;
  close(): Promise<void>;
}

export interface BullmqQueueEvents {
  on(event: "error", listener: (error: Error) => void): void;
  on(event: "active" | "completed" | "failed" | "progress", listener: (told: { jobId: string }) => void): void;
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
}

export interface BullmqWorker {
  on(event: "error", listener: (error: Error) => void): void;
  on(event: "active" | "completed" | "failed", listener: (job: BullmqJob | undefined) => void): void;
  on(event: "lockRenewalFailed", listener: (ids: string[]) => void): void;
  on(event: "drained", listener: () => void): void;
  waitUntilReady(): Promise<unknown>;
  run(): Promise<void>;
  close(force?: boolean): Promise<void>;
}

/** Every key of agents and their campaigns begins with it. */
export const AGENTS_PREFIX = "holdfast";
