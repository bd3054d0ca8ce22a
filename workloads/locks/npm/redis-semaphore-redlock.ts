import type { Redis } from "ioredis";
import type { LockCapabilities, LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { loadPackage } from "../../load-package.ts";
import { acquireError } from "../outcomes.ts";
import { notGranted } from "./not-granted.ts";
import { npmPackages } from "./packages.ts";
import {
  createSemaphoreLock,
  type SemaphoreMutex,
  type SemaphoreOptions,
  semaphoreChanges,
} from "./redis-semaphore-family.ts";

type RedlockMutexClass = new (clients: readonly Redis[], key: string, options: SemaphoreOptions) => SemaphoreMutex;

const capabilities: LockCapabilities = { renewal: "auto", fencing: "none", nodes: 5, client: "ioredis 6" };

/**
 * redis-semaphore 5.8.0, RedlockMutex: independent nodes. It counts nodes that failed as refusals, waits for every node,
 * and does not look at how long the majority took.
 */
const redisSemaphoreRedlock: LockModule = {
  capabilities,
  changedDefaults: semaphoreChanges,
  packages: [npmPackages.redisSemaphore],
  createLock(context) {
    const { RedlockMutex } = loadPackage<{ RedlockMutex: RedlockMutexClass }>(npmPackages.redisSemaphore);
    return createSemaphoreLock({
      ...{ context, name: "redis-semaphore-redlock", capabilities },
      makeMutex: ({ clients }, key, options) => new RedlockMutex(clients, key, options),
      refusal: ({ clients }, tape) =>
        notGranted(new Error("no majority of the nodes granted"), {
          nodes: clients.length,
          nodeErrors: tape.errors(),
        }),
      failure: acquireError,
    });
  },
};

export default redisSemaphoreRedlock;
