import type { Redis } from "ioredis";
import type { LockCapabilities, LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { loadPackage } from "../../load-package.ts";
import { acquireError } from "../outcomes.ts";
import { npmPackages } from "./packages.ts";
import {
  createSemaphoreLock,
  type SemaphoreMutex,
  type SemaphoreOptions,
  semaphoreChanges,
} from "./redis-semaphore-family.ts";

type MutexClass = new (client: Redis, key: string, options: SemaphoreOptions) => SemaphoreMutex;

const capabilities: LockCapabilities = { renewal: "auto", fencing: "none", nodes: 1, client: "ioredis 6" };

/** redis-semaphore 5.8.0, Mutex: one server. */
const redisSemaphore: LockModule = {
  capabilities,
  changedDefaults: semaphoreChanges,
  packages: [npmPackages.redisSemaphore],
  createLock(context) {
    const { Mutex } = loadPackage<{ Mutex: MutexClass }>(npmPackages.redisSemaphore);
    return createSemaphoreLock({
      ...{ context: { ...context, nodes: context.nodes.slice(0, 1) }, name: "redis-semaphore", capabilities },
      makeMutex: ({ clients }, key, options) => new Mutex(clients[0] as Redis, key, options),
      refusal: () => ({ outcome: "refused" }),
      failure: acquireError,
    });
  },
};

export default redisSemaphore;
