import type { ChangedDefault, LockNode } from "./lock-adapter.ts";
import type { NeededPackage } from "./module-ref.ts";

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
  /**
   * Acknowledges; resolves once the queue confirmed it. Safe to repeat. Rejects with a `DeliveryGoneError` when the queue
   * will never take it, since the delivery is no longer this worker's; with any other error nobody knows.
   */
  ack(): Promise<void>;
}

/** Says of a delivery that it can no longer be acknowledged, for certain. Any error with this code counts as one. */
export interface DeliveryGoneError extends Error {
  code: "DELIVERY_GONE";
}

/** Something that the queue itself tells a worker. */
export interface QueueEvent {
  /** `stalled`: found without its lock, and given to others; `lock lost`: a renewal failed; `failed`: given up for good. */
  event: "stalled" | "lock lost" | "failed" | "error";
  job?: string;
  message?: string;
}

/** Handles one delivery. One that it has not acknowledged when it ends is to come again. */
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
  /** Options of the queue itself, as given on the command line or in the configuration. */
  options?: Readonly<Record<string, unknown>>;
  /** Hears what the queue tells. */
  onEvent?: (event: QueueEvent) => void;
}

/** What the producer's side is made from. */
export type QueueProducerContext = Pick<QueueContext, "node" | "keyPrefix" | "visibilityMs" | "options">;

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
  createProducer(context: QueueProducerContext): QueueProducer;
  /** Packages that must be installed beside holdfast. */
  packages?: readonly NeededPackage[];
  /** What is not left at the library's defaults. */
  changedDefaults?: readonly ChangedDefault[];
}
