import type { LockNode } from "../../harness/contracts/lock-adapter.ts";
import type { NeededPackage } from "../../harness/contracts/module-ref.ts";
import { loadPackage } from "../load-package.ts";
import { tlsOptions } from "../tls-options.ts";

export const bullmqPackage: NeededPackage = { name: "bullmq", version: "6.7.0" };

/** What travels as a BullMQ job's data. */
export interface BullmqData {
  job: string;
  key: string;
  durationUs: number;
}

/** The part of BullMQ's job that is driven here. */
export interface BullmqJob {
  id?: string;
  data: BullmqData;
  /** Counts the times that a worker took it, this one included. */
  attemptsStarted: number;
  moveToCompleted(result: unknown, token: string, fetchNext?: boolean): Promise<unknown>;
  moveToFailed(error: Error, token: string, fetchNext?: boolean): Promise<unknown>;
  extendLock(token: string, durationMs: number): Promise<number>;
}

export interface BullmqWorker {
  on(event: "stalled", listener: (id: string) => void): void;
  on(event: "lockRenewalFailed", listener: (ids: string[]) => void): void;
  on(event: "failed", listener: (job: BullmqJob | undefined, error: Error) => void): void;
  on(event: "error", listener: (error: Error) => void): void;
  waitUntilReady(): Promise<unknown>;
  run(): Promise<void>;
  getNextJob(token: string, options?: { block: boolean }): Promise<BullmqJob | undefined>;
  startStalledCheckTimer(): Promise<void>;
  pause(doNotWaitActive?: boolean): Promise<void>;
  close(force?: boolean): Promise<void>;
  toKey(type: string): string;
}

export interface BullmqWorkerOptions {
  connection: BullmqConnection;
  prefix: string;
  autorun: boolean;
  concurrency: number;
  lockDuration: number;
  stalledInterval: number;
  maxStalledCount: number;
}

export interface BullmqQueue {
  on(event: "error", listener: (error: Error) => void): void;
  waitUntilReady(): Promise<unknown>;
  add(name: string, data: BullmqData, options: object): Promise<unknown>;
  getJobCounts(...types: string[]): Promise<Record<string, number>>;
  close(): Promise<void>;
}

export interface Bullmq {
  Worker: new (
    name: string,
    processor: ((job: BullmqJob, token: string) => Promise<unknown>) | null,
    options: BullmqWorkerOptions,
  ) => BullmqWorker;
  Queue: new (name: string, options: { connection: BullmqConnection; prefix: string }) => BullmqQueue;
}

/** Options of ioredis, which BullMQ makes its clients with. */
export interface BullmqConnection {
  host: string;
  port: number;
  db: number;
  username?: string;
  password?: string;
  tls?: object;
}

export const loadBullmq = (): Bullmq => loadPackage<Bullmq>(bullmqPackage);

export const QUEUE_NAME = "jobs";

/** BullMQ's own prefix below that of the run. */
export const bullmqPrefix = (keyPrefix: string) => `${keyPrefix}bull`;

export function connectionTo(node: LockNode): BullmqConnection {
  const { host, port, db, username, password } = node;
  return {
    ...{ host, port, db },
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...tlsOptions(node),
  };
}
