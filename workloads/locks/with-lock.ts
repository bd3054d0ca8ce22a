import type { Lock } from "../../harness/contracts/lock-adapter.ts";

/** What `withLock` gives back: the value of the function, or word that it did not run. */
export type WithLockResult<Value> = { skipped: false; value: Value } | { skipped: true; reason: string };

/**
 * Acquires, runs, and releases whatever came of it. When the lock is not granted, `fn` does not run.
 * @param ttlMs the lease, ms; `fn` must end within it, since nothing renews the hold
 */
export async function withLock<Value>(
  lock: Lock,
  key: string,
  ttlMs: number,
  fn: () => Promise<Value>,
): Promise<WithLockResult<Value>> {
  const grant = await lock.acquire(key, ttlMs, { signal: new AbortController().signal });
  if (grant.outcome !== "granted") return { skipped: true, reason: grant.outcome };
  try {
    return { skipped: false, value: await fn() };
  } finally {
    await lock.release(key, grant.token);
  }
}
