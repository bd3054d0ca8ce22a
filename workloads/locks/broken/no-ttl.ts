import type { LockCapabilities, LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { acquireError } from "../outcomes.ts";
import { releaseIfOwner } from "../release-if-owner.ts";
import { RELEASE_IF_OWNER } from "../scripts.ts";
import { connectSingle } from "../single-node.ts";
import { newToken } from "../token.ts";

const capabilities: LockCapabilities = {
  renewal: "none",
  lease: "never",
  fencing: "none",
  nodes: 1,
  client: "ioredis 6",
};

/** Broken on purpose: the key has no TTL, since its holder will release it. One that dies leaves it there for ever. */
const noTtl: LockModule = {
  capabilities,
  createLock(context) {
    const { client, db } = connectSingle(context, "broken-no-ttl", {
      releaseIfOwner: { lua: RELEASE_IF_OWNER, numberOfKeys: 1 },
    });
    const physical = (key: string) => `${context.keyPrefix}lock:${key}`;
    return {
      capabilities,
      async acquire(key) {
        const token = newToken();
        try {
          const reply = await client.set(physical(key), token, "NX");
          return reply === "OK" ? { outcome: "granted", token } : { outcome: "refused" };
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

export default noTtl;
