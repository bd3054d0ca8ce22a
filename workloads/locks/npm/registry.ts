import type { LockRegistryEntry } from "../../../harness/contracts/module-ref.ts";

type NpmEntry = Omit<LockRegistryEntry, "family" | "module"> & { needsPackage: string };

const entries: readonly NpmEntry[] = [
  {
    name: "redlock-4",
    summary: "redlock 4.2.0 on independent nodes, extended by the holder",
    needsPackage: "redlock@4.2.0",
  },
  {
    name: "redlock-5",
    summary: "redlock 5.0.0-beta.2 on independent nodes, extended by the holder",
    needsPackage: "redlock@5.0.0-beta.2",
  },
  {
    name: "redlock-5-using",
    summary: "redlock 5.0.0-beta.2, using(): renewed by the library, with its AbortSignal",
    needsPackage: "redlock@5.0.0-beta.2",
  },
  {
    name: "sesamecare-redlock",
    summary: "@sesamecare-oss/redlock 1.4.0 on independent nodes, extended by the holder",
    needsPackage: "@sesamecare-oss/redlock@1.4.0",
  },
  {
    name: "sesamecare-redlock-using",
    summary: "@sesamecare-oss/redlock 1.4.0, using(): renewed by the library, with its AbortSignal",
    needsPackage: "@sesamecare-oss/redlock@1.4.0",
  },
  {
    name: "redis-semaphore",
    summary: "redis-semaphore 5.8.0, Mutex on one server, renewed by the library, with onLockLost",
    needsPackage: "redis-semaphore@5.8.0",
  },
  {
    name: "redis-semaphore-redlock",
    summary: "redis-semaphore 5.8.0, RedlockMutex on independent nodes, renewed by the library, with onLockLost",
    needsPackage: "redis-semaphore@5.8.0",
  },
  {
    name: "redlock-universal",
    summary: "redlock-universal 0.8.5, createLock on one server with its circuit breaker, extended by the holder",
    needsPackage: "redlock-universal@0.8.5",
  },
  {
    name: "redlock-universal-using",
    summary: "redlock-universal 0.8.5, using() on one server: renewed by the library, with its AbortSignal",
    needsPackage: "redlock-universal@0.8.5",
  },
  {
    name: "redlock-universal-redlock",
    summary: "redlock-universal 0.8.5, createRedlock on independent nodes, extended by the holder",
    needsPackage: "redlock-universal@0.8.5",
  },
  {
    name: "redlock-universal-redlock-using",
    summary: "redlock-universal 0.8.5, using() on independent nodes: renewed by the library, with its AbortSignal",
    needsPackage: "redlock-universal@0.8.5",
  },
  {
    name: "node-redis-warlock",
    summary: "node-redis-warlock 1.0.2 on one server, extended by the holder",
    needsPackage: "node-redis-warlock@1.0.2",
  },
  {
    name: "simple-redis-mutex",
    summary: "simple-redis-mutex 3.0.0 on one server, fencing tokens by an INCR after the SET",
    needsPackage: "simple-redis-mutex@3.0.0",
  },
  {
    name: "ioredis-lock",
    summary: "ioredis-lock 4.0.0 on one server, extended by the holder",
    needsPackage: "ioredis-lock@4.0.0",
  },
  {
    name: "redislock",
    summary: "redislock 1.3.0 on one server, with the callback client redis 3",
    needsPackage: "redislock@1.3.0",
  },
  {
    name: "redis-kit-lock",
    summary: "@redis-kit/lock 0.1.0-3 on independent nodes, extended by the holder",
    needsPackage: "@redis-kit/lock@0.1.0-3",
  },
  {
    name: "redis-kit-lock-auto",
    summary: "@redis-kit/lock 0.1.0-3 with its automatic extension, which tells nobody when it fails",
    needsPackage: "@redis-kit/lock@0.1.0-3",
  },
  {
    name: "murlock",
    summary: "murlock 4.4.0 on one server, its NestJS service made by hand, never renewed",
    needsPackage: "murlock@4.4.0",
  },
];

/** The libraries from npm, each with the version that its adapter was written for. */
export const npmLocks: readonly LockRegistryEntry[] = entries.map((entry) => ({
  ...entry,
  family: "npm",
  module: `locks/npm/${entry.name}`,
}));
