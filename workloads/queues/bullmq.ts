import type { DeliveryHandler, QueueConsumer, QueueContext, QueueModule } from "../../harness/contracts/queue.ts";
import { connectNode } from "../locks/ioredis-client.ts";
import { forwardEvents, goneOr, LeftJobError, toDelivery } from "./bullmq-delivery.ts";
import { bullmqChanges, bullmqSettings } from "./bullmq-options.ts";
import { type BullmqJob, bullmqPackage, bullmqPrefix, connectionTo, loadBullmq, QUEUE_NAME } from "./bullmq-package.ts";
import { createProducer } from "./bullmq-producer.ts";

/**
 * BullMQ 6 as it is used: real Workers, which lock a job while its processor runs, renew that lock, and give stalled jobs
 * to others. A job is acknowledged when its processor returns, and so never inside another lock; a job that its handler
 * left is a processor that threw, and is retried after the visibility timeout.
 */
const bullmq: QueueModule = {
  createConsumer,
  createProducer,
  packages: [bullmqPackage],
  changedDefaults: bullmqChanges,
};
export default bullmq;

function createConsumer(context: QueueContext): QueueConsumer {
  const { Worker } = loadBullmq();
  const { node, keyPrefix, concurrency, onEvent } = context;
  let handle: DeliveryHandler = async () => {};
  let taking = true;
  const client = connectNode(node, {}, { maxRetriesPerRequest: null });
  const worker = new Worker(QUEUE_NAME, process, {
    ...bullmqSettings(context),
    ...{ connection: connectionTo(node), prefix: bullmqPrefix(keyPrefix), autorun: false, concurrency },
  });
  forwardEvents(worker, onEvent);

  async function process(job: BullmqJob, token: string): Promise<void> {
    // A fetch that was waiting when the worker paused still brings its job.
    if (!taking) throw new LeftJobError(`${job.data.job} came after the pause`);
    return new Promise((resolve, reject) => {
      let acknowledged: Promise<void> | undefined;
      const delivery = toDelivery(job, token, {
        client,
        lockKey: `${worker.toKey(job.id ?? "")}:lock`,
        ack() {
          acknowledged ??= completionOf(job);
          resolve();
          return acknowledged;
        },
      });
      handle(delivery).then(() => {
        if (!acknowledged) reject(new LeftJobError(`${job.data.job} was left by its handler`));
      }, reject);
    });
  }

  return {
    async start(handler) {
      handle = handler;
      await worker.waitUntilReady();
      worker.run().catch((error: Error) => onEvent?.({ event: "error", message: error.message }));
    },
    async pause() {
      taking = false;
      await worker.pause(true);
    },
    async close() {
      await worker.close(true);
      client.disconnect();
    },
  };
}

/**
 * What comes of the job once its processor has returned: the worker then moves it to completed, again and again while the
 * connection is down.
 */
function completionOf(job: BullmqJob): Promise<void> {
  const complete = job.moveToCompleted.bind(job);
  return new Promise((resolve, reject) => {
    job.moveToCompleted = async (...args) => {
      try {
        const next = await complete(...args);
        resolve();
        return next;
      } catch (error) {
        const cause = goneOr(error);
        // Any other error is one of the connection: the worker tries again.
        if (cause !== error) reject(cause);
        throw error;
      }
    };
  });
}
