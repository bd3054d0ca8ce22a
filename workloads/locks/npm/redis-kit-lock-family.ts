import type { ChangedDefault, Lock, LockCapabilities, LockContext } from "../../../harness/contracts/lock-adapter.ts";
import { loadPackage } from "../../load-package.ts";
import { createNodeLog } from "./node-log.ts";
import { connectNodeRedis, type NodeRedisClient } from "./node-redis-client.ts";
import { notGranted } from "./not-granted.ts";
import { npmPackages } from "./packages.ts";
import { readRetries } from "./retries.ts";

interface Hold {
  readonly token: string;
  readonly expirationTime: Date;
  extend(ttlMs: number): Promise<boolean>;
  release(): Promise<boolean>;
  startAutoExtension(thresholdMs?: number): void;
}

interface RedisKit {
  Redlock: new (
    clients: readonly NodeRedisClient[],
    options: { maxRetryAttempts: number },
  ) => { acquire(key: string, ttlMs: number): Promise<Hold | null> };
}

export const redisKitChanges: readonly ChangedDefault[] = [
  { option: "maxRetryAttempts", libraryDefault: 3, used: 0, why: "an acquire is one attempt" },
];

/** The library's threshold for automatic extension, ms: how long before the end of the lease it renews. */
const EXTENSION_THRESHOLD_MS = 1_000;

export const redisKitAutoChanges: readonly ChangedDefault[] = [
  ...redisKitChanges,
  {
    option: "extensionThresholdMs",
    libraryDefault: EXTENSION_THRESHOLD_MS,
    used: "half the TTL where that is less than 2 s",
    why: "with a threshold above the TTL the library renews without pause",
  },
];

export function redisKitCapabilities(renewal: "auto" | "manual"): LockCapabilities {
  return { renewal, fencing: "none", nodes: 5, client: "redis 5", sentinel: false, commandTimeout: "unsent" };
}

/**
 * @redis-kit/lock 0.1.0-3: Redlock on node-redis clients. It swallows the errors of its nodes: they are read off its
 * clients. When its automatic extension fails it stops and prints a warning; nothing tells the holder.
 */
export async function createRedisKitLock(
  context: LockContext,
  { name, renewal }: { name: string; renewal: "auto" | "manual" },
): Promise<Lock> {
  const maxRetryAttempts = readRetries(name, context.options);
  const { Redlock } = loadPackage<RedisKit>(npmPackages.redisKitLock);
  if (context.nodes.length === 0) throw new Error(`${name} needs at least one node, and was given none`);
  const clients = await Promise.all(context.nodes.map((node) => connectNodeRedis(node, context)));
  const log = createNodeLog();
  for (const [index, client] of clients.entries()) log.watch(index + 1, client, "eval");
  const redlock = new Redlock(clients, { maxRetryAttempts });
  const nameOf = (key: string) => `${context.keyPrefix}lock:${key}`;
  const holds = new Map<string, Hold>();
  const capabilities = redisKitCapabilities(renewal);

  const extend: NonNullable<Lock["extend"]> = async (_key, token, ttlMs) => {
    const hold = holds.get(token);
    if (!hold) return { outcome: "not-owner" };
    const tape = log.tape();
    try {
      if (await tape.record(() => hold.extend(ttlMs))) {
        return { outcome: "extended", validUntil: hold.expirationTime.getTime() };
      }
    } catch (error) {
      return { outcome: "unknown", error };
    }
    const [first] = tape.errors();
    return first ? { outcome: "unknown", error: first.error } : { outcome: "not-owner" };
  };

  return {
    capabilities,
    async acquire(key, ttlMs) {
      const tape = log.tape();
      try {
        const hold = await tape.record(() => redlock.acquire(nameOf(key), ttlMs));
        if (!hold) {
          return notGranted(new Error("the library gave null"), { nodes: clients.length, nodeErrors: tape.errors() });
        }
        if (renewal === "auto") hold.startAutoExtension(Math.min(EXTENSION_THRESHOLD_MS, Math.floor(ttlMs / 2)));
        holds.set(hold.token, hold);
        return { outcome: "granted", token: hold.token, validUntil: hold.expirationTime.getTime() };
      } catch (error) {
        return { outcome: "failed", error };
      }
    },
    ...(renewal === "manual" ? { extend } : {}),
    async release(_key, token) {
      const hold = holds.get(token);
      if (!hold) return { outcome: "not-owner" };
      holds.delete(token);
      const tape = log.tape();
      if (await tape.record(() => hold.release())) return { outcome: "released" };
      const [first] = tape.errors();
      return first ? { outcome: "unknown", error: first.error } : { outcome: "not-owner" };
    },
    redisKeys: (key) => context.nodes.map(({ db }, index) => ({ node: index + 1, db, key: nameOf(key) })),
    async close() {
      await Promise.allSettled([...holds.values()].map((hold) => hold.release()));
      for (const client of clients) client.destroy();
    },
  };
}
