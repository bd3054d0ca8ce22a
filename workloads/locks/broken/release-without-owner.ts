import type { LockCapabilities, LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { acquireError, updateError } from "../outcomes.ts";
import { connectSingle } from "../single-node.ts";
import { newToken } from "../token.ts";

const capabilities: LockCapabilities = { renewal: "none", fencing: "none", nodes: 1, client: "ioredis 6" };

/** Broken on purpose: the release deletes the key, whoever's it is by then. */
const releaseWithoutOwner: LockModule = {
  capabilities,
  createLock(context) {
    const { client, db } = connectSingle(context, "broken-release-without-owner", {});
    const physical = (key: string) => `${context.keyPrefix}lock:${key}`;
    return {
      capabilities,
      async acquire(key, ttlMs) {
        const token = newToken();
        try {
          const reply = await client.set(physical(key), token, "PX", ttlMs, "NX");
          return reply === "OK" ? { outcome: "granted", token } : { outcome: "refused" };
        } catch (error) {
          return acquireError(error);
        }
      },
      async release(key) {
        try {
          return { outcome: (await client.del(physical(key))) === 1 ? "released" : "not-owner" };
        } catch (error) {
          return updateError(error);
        }
      },
      redisKeys: (key) => [{ node: 1, db, key: physical(key) }],
      async close() {
        client.disconnect();
      },
    };
  },
};

export default releaseWithoutOwner;
