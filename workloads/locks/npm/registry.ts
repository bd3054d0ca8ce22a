import type { LockRegistryEntry, NeededPackage } from "../../../harness/contracts/module-ref.ts";
import { npmPackages } from "./packages.ts";

type NpmEntry = Pick<LockRegistryEntry, "name" | "summary"> & { library: NeededPackage };

const entries: readonly NpmEntry[] = [
  {
    name: "redlock-4",
    summary: "redlock 4.2.0 on independent nodes, extended by the holder",
    library: npmPackages.redlock4,
  },
  {
    name: "redlock-5",
    summary: "redlock 5.0.0-beta.2 on independent nodes, extended by the holder",
    library: npmPackages.redlock5,
  },
  {
    name: "redlock-5-using",
    summary: "redlock 5.0.0-beta.2, using(): renewed by the library, with its AbortSignal",
    library: npmPackages.redlock5,
  },
  {
    name: "sesamecare-redlock",
    summary: "@sesamecare-oss/redlock 1.4.0 on independent nodes, extended by the holder",
    library: npmPackages.sesamecareRedlock,
  },
  {
    name: "sesamecare-redlock-using",
    summary: "@sesamecare-oss/redlock 1.4.0, using(): renewed by the library, with its AbortSignal",
    library: npmPackages.sesamecareRedlock,
  },
  {
    name: "redis-semaphore",
    summary: "redis-semaphore 5.8.0, Mutex on one server, renewed by the library, with onLockLost",
    library: npmPackages.redisSemaphore,
  },
  {
    name: "redis-semaphore-redlock",
    summary: "redis-semaphore 5.8.0, RedlockMutex on independent nodes, renewed by the library, with onLockLost",
    library: npmPackages.redisSemaphore,
  },
  {
    name: "redlock-universal",
    summary: "redlock-universal 0.8.5, createLock on one server with its circuit breaker, extended by the holder",
    library: npmPackages.redlockUniversal,
  },
  {
    name: "redlock-universal-using",
    summary: "redlock-universal 0.8.5, using() on one server: renewed by the library, with its AbortSignal",
    library: npmPackages.redlockUniversal,
  },
  {
    name: "redlock-universal-redlock",
    summary: "redlock-universal 0.8.5, createRedlock on independent nodes, extended by the holder",
    library: npmPackages.redlockUniversal,
  },
  {
    name: "redlock-universal-redlock-using",
    summary: "redlock-universal 0.8.5, using() on independent nodes: renewed by the library, with its AbortSignal",
    library: npmPackages.redlockUniversal,
  },
  {
    name: "node-redis-warlock",
    summary: "node-redis-warlock 1.0.2 on one server, extended by the holder",
    library: npmPackages.nodeRedisWarlock,
  },
  {
    name: "simple-redis-mutex",
    summary: "simple-redis-mutex 3.0.0 on one server, fencing tokens by an INCR after the SET",
    library: npmPackages.simpleRedisMutex,
  },
  {
    name: "ioredis-lock",
    summary: "ioredis-lock 4.0.0 on one server, extended by the holder",
    library: npmPackages.ioredisLock,
  },
  {
    name: "redislock",
    summary: "redislock 1.3.0 on one server, with the callback client redis 3",
    library: npmPackages.redislock,
  },
  {
    name: "redis-kit-lock",
    summary: "@redis-kit/lock 0.1.0-3 on independent nodes, extended by the holder",
    library: npmPackages.redisKitLock,
  },
  {
    name: "redis-kit-lock-auto",
    summary: "@redis-kit/lock 0.1.0-3 with its automatic extension, which tells nobody when it fails",
    library: npmPackages.redisKitLock,
  },
  {
    name: "murlock",
    summary: "murlock 4.4.0 on one server, its NestJS service made by hand, never renewed",
    library: npmPackages.murlock,
  },
];

/** The libraries from npm, each with the version that its adapter was written for. */
export const npmLocks: readonly LockRegistryEntry[] = entries.map(({ library, ...entry }) => ({
  ...entry,
  family: "npm",
  module: `locks/npm/${entry.name}`,
  needsPackage: `${library.name}@${library.version}`,
}));
