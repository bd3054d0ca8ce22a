import type { ChangedDefault, Lock, LockCapabilities, LockContext } from "../../../harness/contracts/lock-adapter.ts";
import { acquireError, updateError } from "../outcomes.ts";
import { onlyNode } from "../single-node.ts";
import { readRetries } from "./retries.ts";

/** What ioredis-lock and redislock, its elder, both make: an object that can hold one lock. */
export interface LockObject {
  /** The token; the libraries give it no public name. */
  readonly _id: string;
  acquire(key: string): PromiseLike<unknown>;
  extend(ttlMs: number): PromiseLike<unknown>;
  release(): PromiseLike<unknown>;
}

export const lockObjectChanges: readonly ChangedDefault[] = [
  { option: "timeout", libraryDefault: 10_000, used: "the TTL", why: "the lease is the run's" },
];

interface Made {
  context: LockContext;
  name: string;
  capabilities: LockCapabilities;
  makeLock: (options: { timeout: number; retries: number }) => LockObject;
  close: () => void;
}

/** The libraries wrap every error of the server and of the connection and keep only its message. */
export function createLockObjects({ context, name, capabilities, makeLock, close }: Made): Lock {
  const retries = readRetries(name, context.options);
  const { db } = onlyNode(context, name);
  const nameOf = (key: string) => `${context.keyPrefix}lock:${key}`;
  const holds = new Map<string, LockObject>();
  return {
    capabilities,
    async acquire(key, ttlMs) {
      const lock = makeLock({ timeout: ttlMs, retries });
      try {
        await lock.acquire(nameOf(key));
      } catch (error) {
        return says(error, "Could not acquire lock") ? { outcome: "refused" } : acquireError(error);
      }
      holds.set(lock._id, lock);
      return { outcome: "granted", token: lock._id };
    },
    async extend(_key, token, ttlMs) {
      try {
        const hold = holds.get(token);
        if (!hold) return { outcome: "not-owner" };
        await hold.extend(ttlMs);
        return { outcome: "extended" };
      } catch (error) {
        return says(error, "had expired") ? { outcome: "not-owner" } : updateError(error);
      }
    },
    async release(_key, token) {
      const hold = holds.get(token);
      if (!hold) return { outcome: "not-owner" };
      holds.delete(token);
      try {
        await hold.release();
        return { outcome: "released" };
      } catch (error) {
        const expired = says(error, "had expired") || says(error, "has not been acquired");
        return expired ? { outcome: "not-owner" } : updateError(error);
      }
    },
    redisKeys: (key) => [{ node: 1, db, key: nameOf(key) }],
    async close() {
      close();
    },
  };
}

const says = (error: unknown, words: string) => error instanceof Error && error.message.includes(words);
