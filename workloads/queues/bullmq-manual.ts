import { randomUUID } from "node:crypto";
import type { DeliveryHandler, QueueConsumer, QueueContext, QueueModule } from "../../harness/contracts/queue.ts";
import { connectNode } from "../locks/ioredis-client.ts";
import { forwardEvents, goneOr, LeftJobError, toDelivery } from "./bullmq-delivery.ts";
import { bullmqChanges, bullmqSettings } from "./bullmq-options.ts";
import { type BullmqJob, bullmqPackage, bullmqPrefix, connectionTo, loadBullmq, QUEUE_NAME } from "./bullmq-package.ts";
import { createProducer } from "./bullmq-producer.ts";

/**
 * BullMQ 6 with jobs fetched and completed by hand, as its guide describes it: `getNextJob`, then `moveToCompleted`, which
 * can be called inside a lock. A worker without a processor renews no lock; here each job's lock is renewed every half
 * of its duration, as such a program has to. BullMQ leaves it to such a program too to give up a job that stalled too
 * often; its guide does not, and neither does this.
 */
const bullmqManual: QueueModule = {
  createConsumer,
  createProducer,
  packages: [bullmqPackage],
  changedDefaults: bullmqChanges,
};
export default bullmqManual;

function createConsumer(context: QueueContext): QueueConsumer {
  const { Worker } = loadBullmq();
  const { node, keyPrefix, concurrency, onEvent } = context;
  const settings = bullmqSettings(context);
  const client = connectNode(node, {}, { maxRetriesPerRequest: null });
  const worker = new Worker(QUEUE_NAME, null, {
    ...settings,
    ...{ connection: connectionTo(node), prefix: bullmqPrefix(keyPrefix), autorun: false, concurrency },
  });
  forwardEvents(worker, onEvent);
  const timers = new Set<NodeJS.Timeout>();
  let running = 0;
  let taking = true;
  let slotFreed = () => {};
  let loop: Promise<void> = Promise.resolve();

  async function take(handler: DeliveryHandler): Promise<void> {
    while (taking) {
      if (running >= concurrency) {
        await new Promise<void>((resolve) => {
          slotFreed = resolve;
        });
        continue;
      }
      const token = randomUUID();
      const job = await worker.getNextJob(token).catch((error: Error) => {
        onEvent?.({ event: "error", message: error.message });
        return new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 50));
      });
      if (job && taking) void handle(job, token, handler);
      // A fetch that was waiting when the worker paused still brings its job.
      else if (job) await job.moveToFailed(new LeftJobError("came after the pause"), token, false).catch(() => {});
    }
  }

  async function handle(job: BullmqJob, token: string, handler: DeliveryHandler): Promise<void> {
    running += 1;
    const renewal = setInterval(() => renew(job, token), settings.lockDuration / 2);
    timers.add(renewal);
    let acknowledged: Promise<void> | undefined;
    const complete = async () => {
      try {
        await job.moveToCompleted(null, token, false);
      } catch (error) {
        throw goneOr(error);
      }
    };
    const delivery = toDelivery(job, token, {
      client,
      lockKey: `${worker.toKey(job.id ?? "")}:lock`,
      ack() {
        acknowledged ??= complete().catch((error: unknown) => {
          // An answer that got lost may be asked for again.
          acknowledged = undefined;
          throw error;
        });
        return acknowledged;
      },
    });
    try {
      await handler(delivery);
      if (!acknowledged) await job.moveToFailed(new LeftJobError("left by its handler"), token, false);
    } catch (error) {
      onEvent?.({ event: "error", ...(job.id ? { job: job.id } : {}), message: (error as Error).message });
    } finally {
      clearInterval(renewal);
      timers.delete(renewal);
      running -= 1;
      slotFreed();
    }
  }

  async function renew(job: BullmqJob, token: string): Promise<void> {
    const named = job.id ? { job: job.id } : {};
    try {
      const renewed = await job.extendLock(token, settings.lockDuration);
      if (renewed !== 1) onEvent?.({ event: "lock lost", ...named, message: "the job's lock is no longer its own" });
    } catch (error) {
      onEvent?.({ event: "error", ...named, message: (error as Error).message });
    }
  }

  return {
    async start(handler) {
      await worker.waitUntilReady();
      await worker.startStalledCheckTimer();
      loop = take(handler);
      loop.catch(() => {});
    },
    async pause() {
      taking = false;
      slotFreed();
      await worker.pause(true);
    },
    async close() {
      taking = false;
      slotFreed();
      for (const timer of timers) clearInterval(timer);
      await worker.close(true);
      await loop.catch(() => {});
      client.disconnect();
    },
  };
}
