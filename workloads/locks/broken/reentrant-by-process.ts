import { hostname } from "node:os";
import { z } from "zod";
import type { LockCapabilities, LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { readOptions } from "../options.ts";
import { acquireError } from "../outcomes.ts";
import { releaseIfOwner } from "../release-if-owner.ts";
import { RELEASE_IF_OWNER } from "../scripts.ts";
import { connectSingle } from "../single-node.ts";

const capabilities: LockCapabilities = { renewal: "none", fencing: "none", nodes: 1, client: "ioredis 6" };

/** Grants what is free, and what the caller's own process has. */
const ACQUIRE_OR_ENTER_AGAIN = `
local holder = redis.call("get", KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call("set", KEYS[1], ARGV[1], "px", ARGV[2])
return 1`;

/** Broken on purpose: one token for a whole process, so that its jobs do not exclude one another. */
const reentrantByProcess: LockModule = {
  capabilities,
  createLock(context) {
    const { client, db } = connectSingle(context, "broken-reentrant-by-process", {
      acquireOrEnterAgain: { lua: ACQUIRE_OR_ENTER_AGAIN, numberOfKeys: 1 },
      releaseIfOwner: { lua: RELEASE_IF_OWNER, numberOfKeys: 1 },
    });
    const physical = (key: string) => `${context.keyPrefix}lock:${key}`;
    const { identity = `${hostname()}:${process.pid}` } = readOptions(
      "broken-reentrant-by-process",
      { identity: z.string().optional() },
      context.options,
    );
    return {
      capabilities,
      async acquire(key, ttlMs) {
        try {
          const granted = await client.acquireOrEnterAgain(physical(key), identity, ttlMs);
          return granted === 1 ? { outcome: "granted", token: identity } : { outcome: "refused" };
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

export default reentrantByProcess;
