import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Lock, LockModule } from "../contracts/lock-adapter.ts";
import { messageOf } from "../errors.ts";
import { PROBE_KEY, verifyLock } from "../lock/verify-lock.ts";

/** How long createLock may take here, and the lock to close, ms: one that waits for a Redis waits in vain. */
const MAKE_LIMIT_MS = 300;
const KEY_PREFIX = "holdfast-trial:";

/**
 * Has a module make its lock beside a server that takes connections and never answers. Gives what is wrong with what it
 * made; undefined when it is a lock, or when createLock throws or still waits, since it may want a Redis for that.
 */
export async function flawOfMadeLock(
  module: Partial<LockModule>,
  path: string,
  options: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  if (typeof module.createLock !== "function") return undefined;
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const count = Math.max(1, Number(module.capabilities?.nodes) || 1);
  try {
    const { createLock } = module;
    const nodes = Array.from({ length: count }, () => ({ host: "127.0.0.1", port, db: 0 }));
    const made = await within(async () => ({
      lock: (await createLock({ nodes, keyPrefix: KEY_PREFIX, clock: Date, options })) as unknown,
    }));
    return made && (await flawOf(made.lock, path));
  } catch {
    return undefined;
  } finally {
    silent.close();
  }
}

async function flawOf(made: unknown, path: string): Promise<string | undefined> {
  let lock: Lock;
  try {
    lock = verifyLock(made, path);
  } catch (error) {
    return messageOf(error);
  }
  const outside = lock
    .redisKeys(PROBE_KEY)
    .find(({ key, role = "lock" }) => role === "lock" && key.includes(PROBE_KEY) && !key.includes(KEY_PREFIX));
  await within(async () => lock.close()).catch(() => {});
  if (outside === undefined) return undefined;
  return `${path} locks the key ${outside.key}, without the \`keyPrefix\` that createLock was given. A run writes under its own prefix only: put \`keyPrefix\` into the key`;
}

async function within<Value>(call: () => Promise<Value>): Promise<Value | undefined> {
  const called = call();
  called.catch(() => {});
  return await Promise.race([called, sleep(MAKE_LIMIT_MS, undefined)]);
}
