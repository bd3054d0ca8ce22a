import type { QueueRegistryEntry } from "../../harness/contracts/module-ref.ts";

/** Every queue that ships. */
export const queueRegistry: readonly QueueRegistryEntry[] = [
  {
    name: "streams",
    summary: "A Redis Stream with a consumer group; messages past the visibility timeout are claimed by others",
    module: "queues/streams",
    ack: ["inside", "after"],
  },
  {
    name: "bullmq",
    summary: "BullMQ 6 Workers with their job locks and stalled jobs; acknowledged when the processor returns",
    module: "queues/bullmq",
    needsPackage: "bullmq@6.7.0",
    ack: ["after"],
  },
  {
    name: "bullmq-manual",
    summary: "BullMQ 6 with jobs fetched and completed by hand, which can be acknowledged inside a lock",
    module: "queues/bullmq-manual",
    needsPackage: "bullmq@6.7.0",
    ack: ["inside", "after"],
  },
];
