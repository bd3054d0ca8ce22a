import type { LockCapabilities, LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { acquireError } from "../outcomes.ts";
import { releaseIfOwner } from "../release-if-owner.ts";
import { RELEASE_IF_OWNER } from "../scripts.ts";
import { connectSingle } from "../single-node.ts";
import { newToken } from "../token.ts";

const capabilities: LockCapabilities = { renewal: "none", fencing: "non-atomic", nodes: 1, client: "ioredis 6" };

/**
 * Broken on purpose: the fencing token is minted by a command of its own after the grant. When that one is held up beyond
 * the lease, the next owner has the lower token and the one before it the higher.
 */
const fenceAfterSet: LockModule = {
  capabilities,
  createLock(context) {
    const { client, db } = connectSingle(context, "broken-fence-after-set", {
      releaseIfOwner: { lua: RELEASE_IF_OWNER, numberOfKeys: 1 },
    });
    const lockKey = (key: string) => `${context.keyPrefix}lock:{${key}}`;
    const counterKey = (key: string) => `${context.keyPrefix}fence:{${key}}`;
    return {
      capabilities,
      async acquire(key, ttlMs) {
        const token = newToken();
        try {
          const reply = await client.set(lockKey(key), token, "PX", ttlMs, "NX");
          if (reply !== "OK") return { outcome: "refused" };
          return { outcome: "granted", token, fencingToken: await client.incr(counterKey(key)) };
        } catch (error) {
          return acquireError(error);
        }
      },
      async release(key, token) {
        return await releaseIfOwner(client, lockKey(key), token);
      },
      redisKeys: (key) => [
        { node: 1, db, key: lockKey(key) },
        { node: 1, db, key: counterKey(key), role: "counter" },
      ],
      async close() {
        client.disconnect();
      },
    };
  },
};

export default fenceAfterSet;
