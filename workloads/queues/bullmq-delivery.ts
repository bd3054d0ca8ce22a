import type { Redis } from "ioredis";
import type { Delivery, DeliveryGoneError, QueueContext, QueueEvent } from "../../harness/contracts/queue.ts";
import type { BullmqJob, BullmqWorker } from "./bullmq-package.ts";

/** A job that its handler did not acknowledge: BullMQ is told that it failed, so that it comes again. */
export class LeftJobError extends Error {
  override readonly name = "LeftJobError";
}

/** A delivery of a BullMQ job; how it is acknowledged is up to who fetched it. */
export function toDelivery(
  job: BullmqJob,
  token: string,
  { client, lockKey, ack }: { client: Redis; lockKey: string; ack: () => Promise<void> },
): Delivery {
  return {
    ...job.data,
    id: job.id ?? "",
    attempt: job.attemptsStarted,
    // BullMQ's own lock of the job tells whose it is.
    look: async () => (await client.get(lockKey)) === token,
    ack,
  };
}

/** BullMQ's refusals carry a negative code: no lock, another's lock, not active any more. */
export function goneOr(error: unknown): unknown {
  if (!(error instanceof Error) || typeof (error as { code?: unknown }).code !== "number") return error;
  const gone = new Error(error.message, { cause: error }) as Error & Partial<DeliveryGoneError>;
  gone.code = "DELIVERY_GONE";
  return gone;
}

/** Passes on what the worker's events tell of stalls, lost locks and jobs that were given up. */
export function forwardEvents(worker: BullmqWorker, onEvent: QueueContext["onEvent"]): void {
  const tell = (event: QueueEvent) => onEvent?.(event);
  worker.on("stalled", (job) => tell({ event: "stalled", job }));
  worker.on("lockRenewalFailed", (jobs) => {
    for (const job of jobs) tell({ event: "lock lost", job, message: "BullMQ could not renew the job's lock" });
  });
  worker.on("failed", (job, { name, message }) => {
    if (name !== "LeftJobError") tell({ event: "failed", ...(job?.id ? { job: job.id } : {}), message });
  });
  worker.on("error", ({ message }) => tell({ event: "error", message }));
}
