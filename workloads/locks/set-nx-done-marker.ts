import type { LockCapabilities, LockModule } from "../../harness/contracts/lock-adapter.ts";
import { milliseconds, readOptions } from "./options.ts";
import { acquireError, updateError } from "./outcomes.ts";
import { connectSingle } from "./single-node.ts";
import { newToken } from "./token.ts";

const capabilities: LockCapabilities = {
  renewal: "none",
  fencing: "none",
  nodes: 1,
  client: "ioredis 6",
  oncePerKey: true,
};

/** How long a job that was done is remembered, ms: longer than any queue here may take to deliver it once more. */
const DEFAULT_HORIZON_MS = 3_600_000;

/** KEYS: lock, mark. ARGV: token, TTL in ms. The mark is looked at first: done work is refused even while unlocked. */
const ACQUIRE_UNLESS_DONE = `
if redis.call("EXISTS", KEYS[2]) == 1 then return "done" end
if redis.call("SET", KEYS[1], ARGV[1], "NX", "PX", ARGV[2]) then return "granted" end
return "held"`;

/**
 * KEYS: lock, mark. ARGV: token, horizon in ms, or 0 when the work was not done. Work that was done is marked even if the
 * lease ended meanwhile: it was done all the same.
 */
const RELEASE_AND_MARK = `
if tonumber(ARGV[2]) > 0 then redis.call("SET", KEYS[2], ARGV[1], "PX", ARGV[2]) end
if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end
return 0`;

/**
 * `set-nx` that remembers what was done: a release that says `done` leaves a mark for `horizonMs` in the same step as it
 * frees the lock, and every later acquire of the key is refused with the reason `done`. So a redelivery that comes
 * after the release finds the work done, whatever the order of acknowledgement. It learns of the end of a job from
 * its release alone: a holder that dies, or never learns that its acknowledgement arrived, leaves no mark. The key must
 * stand for one piece of work: jobs that share a key would take each other for done.
 */
const setNxDoneMarker: LockModule = {
  capabilities,
  createLock(context) {
    const { horizonMs = DEFAULT_HORIZON_MS } = readOptions(
      "set-nx-done-marker",
      { horizonMs: milliseconds.optional() },
      context.options,
    );
    const { client, db } = connectSingle(context, "set-nx-done-marker", {
      acquireUnlessDone: { lua: ACQUIRE_UNLESS_DONE, numberOfKeys: 2 },
      releaseAndMark: { lua: RELEASE_AND_MARK, numberOfKeys: 2 },
    });
    const lockKey = (key: string) => `${context.keyPrefix}lock:{${key}}`;
    const markKey = (key: string) => `${context.keyPrefix}done:{${key}}`;
    return {
      capabilities,
      async acquire(key, ttlMs) {
        const token = newToken();
        try {
          const reply = await client.acquireUnlessDone(lockKey(key), markKey(key), token, ttlMs);
          if (reply === "granted") return { outcome: "granted", token };
          return reply === "done" ? { outcome: "refused", reason: "done" } : { outcome: "refused" };
        } catch (error) {
          return acquireError(error);
        }
      },
      async release(key, token, { done = false } = {}) {
        try {
          const deleted = await client.releaseAndMark(lockKey(key), markKey(key), token, done ? horizonMs : 0);
          return deleted === 1 ? { outcome: "released" } : { outcome: "not-owner" };
        } catch (error) {
          return updateError(error);
        }
      },
      redisKeys: (key) => [
        { node: 1, db, key: lockKey(key) },
        { node: 1, db, key: markKey(key), role: "mark" },
      ],
      async close() {
        client.disconnect();
      },
    };
  },
};

export default setNxDoneMarker;
