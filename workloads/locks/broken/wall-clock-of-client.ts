import type { LockCapabilities, LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { acquireError } from "../outcomes.ts";
import { releaseIfOwner } from "../release-if-owner.ts";
import { RELEASE_IF_OWNER } from "../scripts.ts";
import { connectSingle } from "../single-node.ts";
import { newToken } from "../token.ts";

const capabilities: LockCapabilities = { renewal: "none", fencing: "none", nodes: 1, client: "ioredis 6" };

/** Replaces the value that was found to be over, if it is still there. ARGV: found, mine. */
const TAKE_OVER = `if redis.call("get", KEYS[1]) == ARGV[1] then redis.call("set", KEYS[1], ARGV[2]) return 1 else return 0 end`;

/**
 * Broken on purpose: the lease is a time of day in the value, set by one client's clock and judged by another's. It is
 * the recipe of the old SETNX page, whose taking over is made atomic here, so that the clock alone is wrong.
 */
const wallClockOfClient: LockModule = {
  capabilities,
  createLock(context) {
    const { client, db } = connectSingle(context, "broken-wall-clock", {
      takeOver: { lua: TAKE_OVER, numberOfKeys: 1 },
      releaseIfOwner: { lua: RELEASE_IF_OWNER, numberOfKeys: 1 },
    });
    const physical = (key: string) => `${context.keyPrefix}lock:${key}`;
    return {
      capabilities,
      async acquire(key, ttlMs) {
        const endsAt = context.clock.now() + ttlMs;
        const token = `${endsAt}:${newToken()}`;
        const granted = { outcome: "granted", token, validUntil: endsAt } as const;
        try {
          if ((await client.setnx(physical(key), token)) === 1) return granted;
          const found = await client.get(physical(key));
          if (found === null || Number.parseInt(found, 10) > context.clock.now()) return { outcome: "refused" };
          return (await client.takeOver(physical(key), found, token)) === 1 ? granted : { outcome: "refused" };
        } catch (error) {
          return acquireError(error);
        }
      },
      async release(key, token) {
        return await releaseIfOwner(client, physical(key), token);
      },
      redisKeys: (key) => [{ node: 1, db, key: physical(key) }],
      async close() {
        client.disconnect();
      },
    };
  },
};

export default wallClockOfClient;
