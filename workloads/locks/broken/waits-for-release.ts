import type { LockCapabilities, LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { connectNode } from "../ioredis-client.ts";
import { acquireError, updateError } from "../outcomes.ts";
import { connectSingle, onlyNode } from "../single-node.ts";
import { newToken } from "../token.ts";

const capabilities: LockCapabilities = {
  renewal: "none",
  fencing: "none",
  nodes: 1,
  client: "ioredis 6",
  // It says that it asks again as soon as the key is free.
  budgetMs: 2_000,
};

/** KEYS: lock. ARGV: token, channel. Deletes the key if it is the caller's, and tells those who wait for that. */
const RELEASE_AND_TELL = `
if redis.call("get", KEYS[1]) ~= ARGV[1] then return 0 end
redis.call("del", KEYS[1])
redis.call("publish", ARGV[2], ARGV[1])
return 1`;

/**
 * Broken on purpose: who is refused waits until the holder tells that it has released the key, and asks again. A holder
 * that dies tells nothing, and its key expires without a word.
 */
const waitsForRelease: LockModule = {
  capabilities,
  createLock(context) {
    const name = "broken-waits-for-release";
    const { client, db } = connectSingle(context, name, {
      releaseAndTell: { lua: RELEASE_AND_TELL, numberOfKeys: 1 },
    });
    const listener = connectNode(onlyNode(context, name), context, {});
    const physical = (key: string) => `${context.keyPrefix}lock:${key}`;
    const channelOf = (token: string) => `${context.keyPrefix}released:${token}`;

    async function untilReleased(key: string, holder: string): Promise<void> {
      const channel = channelOf(holder);
      const told = new Promise<void>((resolve) => {
        const hear = (heard: string) => {
          if (heard !== channel) return;
          listener.off("message", hear);
          resolve();
        };
        listener.on("message", hear);
      });
      await listener.subscribe(channel);
      // It may have told before anyone listened.
      if ((await client.get(physical(key))) === holder) await told;
      await listener.unsubscribe(channel);
    }

    return {
      capabilities,
      async acquire(key, ttlMs) {
        const token = newToken();
        try {
          while ((await client.set(physical(key), token, "PX", ttlMs, "NX")) !== "OK") {
            const holder = await client.get(physical(key));
            if (holder !== null) await untilReleased(key, holder);
          }
          return { outcome: "granted", token };
        } catch (error) {
          return acquireError(error);
        }
      },
      async release(key, token) {
        try {
          const deleted = await client.releaseAndTell(physical(key), token, channelOf(token));
          return { outcome: deleted === 1 ? "released" : "not-owner" };
        } catch (error) {
          return updateError(error);
        }
      },
      redisKeys: (key) => [{ node: 1, db, key: physical(key) }],
      async close() {
        listener.disconnect();
        client.disconnect();
      },
    };
  },
};

export default waitsForRelease;
