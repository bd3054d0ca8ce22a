import type { RegistryEntry } from "../../harness/contracts/module-ref.ts";

/** Every queue that ships. */
export const queueRegistry: readonly RegistryEntry[] = [
  {
    name: "streams",
    summary: "A Redis Stream with a consumer group; messages past the visibility timeout are claimed by others",
    module: "queues/streams",
  },
];
