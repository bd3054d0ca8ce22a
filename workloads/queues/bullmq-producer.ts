import type { QueueProducer, QueueProducerContext } from "../../harness/contracts/queue.ts";
import { ATTEMPTS } from "./bullmq-options.ts";
import { bullmqPrefix, connectionTo, loadBullmq, QUEUE_NAME } from "./bullmq-package.ts";

/** Adds jobs to a BullMQ queue. The job's name is its id, so that BullMQ's events name it. */
export function createProducer({ node, keyPrefix, visibilityMs }: QueueProducerContext): QueueProducer {
  const { Queue } = loadBullmq();
  const queue = new Queue(QUEUE_NAME, { connection: connectionTo(node), prefix: bullmqPrefix(keyPrefix) });
  queue.on("error", () => {});
  return {
    async setup() {
      await queue.waitUntilReady();
    },
    async add({ job, key, durationUs }) {
      await queue.add(
        "job",
        { job, key, durationUs },
        {
          jobId: job,
          attempts: ATTEMPTS,
          backoff: { type: "fixed", delay: visibilityMs },
          // Of the errors that say "left", one is enough.
          stackTraceLimit: 1,
        },
      );
    },
    async depth() {
      const {
        wait = 0,
        prioritized = 0,
        paused = 0,
        active = 0,
        delayed = 0,
      } = await queue.getJobCounts(...["wait", "prioritized", "paused", "active", "delayed"]);
      return { waiting: wait + prioritized + paused, pending: active + delayed };
    },
    async close() {
      await queue.close();
    },
  };
}
