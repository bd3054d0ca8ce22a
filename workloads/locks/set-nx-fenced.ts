import type { LockCapabilities, LockModule } from "../../harness/contracts/lock-adapter.ts";
import { readOptions } from "./options.ts";
import { acquireError } from "./outcomes.ts";
import { releaseIfOwner } from "./release-if-owner.ts";
import { RELEASE_IF_OWNER } from "./scripts.ts";
import { connectSingle } from "./single-node.ts";
import { newToken } from "./token.ts";

const capabilities: LockCapabilities = { renewal: "none", fencing: "atomic", nodes: 1, client: "ioredis 6" };

/**
 * KEYS: lock, counter. ARGV: token, TTL in ms. Gives the fencing token, or 0 when the lock is held by another. The token
 * is minted with a new acquisition only: a client that sends the same acquire again after a lost reply finds its own
 * token, and gets the fencing token that it got before. The counter has no TTL: it must outlive every hold.
 */
const ACQUIRE_FENCED = `
local holder = redis.call("GET", KEYS[1])
if holder == ARGV[1] then return tonumber(redis.call("GET", KEYS[2])) end
if holder then return 0 end
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
return redis.call("INCR", KEYS[2])`;

/** `set-nx` with a fencing token that grows with every acquisition of the key. Never renewed. */
const setNxFenced: LockModule = {
  capabilities,
  createLock(context) {
    readOptions("set-nx-fenced", {}, context.options);
    const { client, db } = connectSingle(context, "set-nx-fenced", {
      acquireFenced: { lua: ACQUIRE_FENCED, numberOfKeys: 2 },
      releaseIfOwner: { lua: RELEASE_IF_OWNER, numberOfKeys: 1 },
    });
    // The braces put both keys into one hash slot, as a script on Redis Cluster would need it.
    const lockKey = (key: string) => `${context.keyPrefix}lock:{${key}}`;
    const counterKey = (key: string) => `${context.keyPrefix}fence:{${key}}`;
    return {
      capabilities,
      async acquire(key, ttlMs) {
        const token = newToken();
        try {
          const fencingToken = Number(await client.acquireFenced(lockKey(key), counterKey(key), token, ttlMs));
          return fencingToken === 0 ? { outcome: "refused" } : { outcome: "granted", token, fencingToken };
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

export default setNxFenced;
