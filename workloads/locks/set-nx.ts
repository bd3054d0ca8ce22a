import { randomBytes } from "node:crypto";
import type { Redis } from "ioredis";
import type { LockCapabilities, LockModule } from "../../harness/contracts/lock-adapter.ts";
import { connectNode, isServerRefusal } from "./ioredis-client.ts";

const capabilities: LockCapabilities = { renewal: "none", fencing: "none", nodes: 1, client: "ioredis 6" };

/** Deletes the key only if its value is the caller's token. Source: redis.io, "Distributed Locks with Redis". */
const RELEASE_IF_OWNER = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end`;

interface ReleasingClient extends Redis {
  releaseIfOwner(key: string, token: string): Promise<number>;
}

/** The lock of one Redis server: `SET key token NX PX ttl`, released by its owner only, never renewed. */
const setNx: LockModule = {
  capabilities,
  createLock(context) {
    const [node] = context.nodes;
    if (!node) throw new Error("set-nx needs one node, and was given none");
    const client = connectNode(node, context, {
      scripts: { releaseIfOwner: { lua: RELEASE_IF_OWNER, numberOfKeys: 1 } },
    }) as ReleasingClient;
    const physical = (key: string) => `${context.keyPrefix}lock:${key}`;
    return {
      capabilities,
      async acquire(key, ttlMs) {
        const token = randomBytes(16).toString("hex");
        try {
          const reply = await client.set(physical(key), token, "PX", ttlMs, "NX");
          return reply === "OK" ? { outcome: "granted", token } : { outcome: "refused" };
        } catch (error) {
          return { outcome: isServerRefusal(error) ? "failed" : "indeterminate", error };
        }
      },
      async release(key, token) {
        try {
          const deleted = await client.releaseIfOwner(physical(key), token);
          return deleted === 1 ? { outcome: "released" } : { outcome: "not-owner" };
        } catch (error) {
          return { outcome: isServerRefusal(error) ? "failed" : "unknown", error };
        }
      },
      redisKeys: (key) => [{ node: 1, db: node.db, key: physical(key) }],
      async close() {
        client.disconnect();
      },
    };
  },
};

export default setNx;
