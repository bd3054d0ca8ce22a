import type { NeededPackage } from "../../../harness/contracts/module-ref.ts";

/** The libraries under test, and the clients that only they need, each at the version that its adapter was written for. */
export const npmPackages = {
  redlock4: { name: "redlock", version: "4.2.0", alias: "redlock4" },
  redlock5: { name: "redlock", version: "5.0.0-beta.2", alias: "redlock5" },
  sesamecareRedlock: { name: "@sesamecare-oss/redlock", version: "1.4.0" },
  redisSemaphore: { name: "redis-semaphore", version: "5.8.0" },
  redlockUniversal: { name: "redlock-universal", version: "0.8.5" },
  nodeRedisWarlock: { name: "node-redis-warlock", version: "1.0.2" },
  simpleRedisMutex: { name: "simple-redis-mutex", version: "3.0.0" },
  ioredisLock: { name: "ioredis-lock", version: "4.0.0" },
  redislock: { name: "redislock", version: "1.3.0" },
  redisKitLock: { name: "@redis-kit/lock", version: "0.1.0-3" },
  murlock: { name: "murlock", version: "4.4.0" },
  nodeRedis5: { name: "redis", version: "5.12.1" },
  callbackRedis: { name: "redis", version: "3.1.2", alias: "redis3" },
} as const satisfies Record<string, NeededPackage>;
