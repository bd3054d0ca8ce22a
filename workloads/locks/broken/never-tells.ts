import type { LockCapabilities, LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { acquireError } from "../outcomes.ts";
import { releaseIfOwner } from "../release-if-owner.ts";
import { EXTEND_IF_OWNER, RELEASE_IF_OWNER } from "../scripts.ts";
import { connectSingle } from "../single-node.ts";
import { newToken } from "../token.ts";

const capabilities: LockCapabilities = { renewal: "auto", fencing: "none", nodes: 1, client: "ioredis 6" };

/** Broken on purpose: renews on a timer, does not look what came of it, and tells its holder nothing. */
const neverTells: LockModule = {
  capabilities,
  createLock(context) {
    const { client, db } = connectSingle(context, "broken-never-tells", {
      extendIfOwner: { lua: EXTEND_IF_OWNER, numberOfKeys: 1 },
      releaseIfOwner: { lua: RELEASE_IF_OWNER, numberOfKeys: 1 },
    });
    const physical = (key: string) => `${context.keyPrefix}lock:${key}`;
    const timers = new Map<string, NodeJS.Timeout>();
    return {
      capabilities,
      async acquire(key, ttlMs) {
        const token = newToken();
        try {
          if ((await client.set(physical(key), token, "PX", ttlMs, "NX")) !== "OK") return { outcome: "refused" };
        } catch (error) {
          return acquireError(error);
        }
        const renew = () => void client.extendIfOwner(physical(key), token, ttlMs).catch(() => {});
        timers.set(token, setInterval(renew, Math.max(1, Math.floor(ttlMs / 3))));
        return { outcome: "granted", token };
      },
      async release(key, token) {
        clearInterval(timers.get(token));
        timers.delete(token);
        return await releaseIfOwner(client, physical(key), token);
      },
      redisKeys: (key) => [{ node: 1, db, key: physical(key) }],
      async close() {
        for (const timer of timers.values()) clearInterval(timer);
        client.disconnect();
      },
    };
  },
};

export default neverTells;
