import type { LockCapabilities, LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { acquireError } from "../outcomes.ts";
import { releaseIfOwner } from "../release-if-owner.ts";
import { RELEASE_IF_OWNER } from "../scripts.ts";
import { connectSingle } from "../single-node.ts";
import { newToken } from "../token.ts";

const capabilities: LockCapabilities = { renewal: "none", fencing: "none", nodes: 1, client: "ioredis 6" };

/** Broken on purpose: the key is there before its lease is; whoever dies in between leaves it there for ever. */
const setnxThenPexpire: LockModule = {
  capabilities,
  createLock(context) {
    const { client, db } = connectSingle(context, "broken-setnx-then-pexpire", {
      releaseIfOwner: { lua: RELEASE_IF_OWNER, numberOfKeys: 1 },
    });
    const physical = (key: string) => `${context.keyPrefix}lock:${key}`;
    return {
      capabilities,
      async acquire(key, ttlMs) {
        const token = newToken();
        try {
          if ((await client.setnx(physical(key), token)) !== 1) return { outcome: "refused" };
          await client.pexpire(physical(key), ttlMs);
          return { outcome: "granted", token };
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

export default setnxThenPexpire;
