import type { LockNode } from "./lock-adapter.ts";

/** A job as it travels through the queue. */
export interface QueuedJob {
  job: string;
  /** The key that the lock takes. */
  key: string;
  /** How long it works, in microseconds. */
  durationUs: number;
}

/** A job handed to a worker. */
export interface Delivery extends QueuedJob {
  /** The queue's own id of the message. */
  id: string;
  /** Counts deliveries of this job over all workers, from 1. */
  attempt: number;
  /** Is this delivery still the latest? `false`: another worker has it, or it is done. Rejects when it cannot be known. */
  look(): Promise<boolean>;
  /** Acknowledges; resolves once the queue confirmed it. Safe to repeat. */
  ack(): Promise<void>;
}

/** What a delivery handler says at the end: `done` frees the place; `leave` leaves the message pending. */
export type DeliveryHandler = (delivery: Delivery) => Promise<void>;

export interface QueueContext {
  node: LockNode;
  keyPrefix: string;
  /** Consumer name, unique per worker and incarnation. */
  consumer: string;
  /** After this time without acknowledgement a message may be delivered again, in ms. */
  visibilityMs: number;
  /** How often a worker looks for messages past their visibility timeout, in ms. */
  claimIntervalMs: number;
  /** Deliveries handled at once. */
  concurrency: number;
}

/** The worker's side. */
export interface QueueConsumer {
  /** Starts delivering. Resolves when connected and subscribed. */
  start(handler: DeliveryHandler): Promise<void>;
  /** Takes no further message; running deliveries go on. */
  pause(): Promise<void>;
  close(): Promise<void>;
}

/** The producer's side, outside the faults' network but on the faulted server. */
export interface QueueProducer {
  setup(): Promise<void>;
  /** Resolves when the queue confirmed the message. */
  add(job: QueuedJob): Promise<void>;
  /** Messages waiting (never delivered) and pending (delivered, not acknowledged). */
  depth(): Promise<{ waiting: number; pending: number }>;
  close(): Promise<void>;
}

/** A queue module exports both makers, by name or within its default export. */
export interface QueueModule {
  createConsumer(context: QueueContext): QueueConsumer;
  createProducer(context: Pick<QueueContext, "node" | "keyPrefix">): QueueProducer;
}
