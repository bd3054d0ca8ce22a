import { performance } from "node:perf_hooks";
import type { LockCapabilities, LockModule } from "../../harness/contracts/lock-adapter.ts";
import { milliseconds, readOptions } from "./options.ts";
import { acquireError } from "./outcomes.ts";
import { releaseIfOwner } from "./release-if-owner.ts";
import { createRenewals } from "./renewals.ts";
import { EXTEND_IF_OWNER, RELEASE_IF_OWNER } from "./scripts.ts";
import { connectSingle } from "./single-node.ts";
import { newToken } from "./token.ts";

const capabilities: LockCapabilities = { renewal: "auto", fencing: "none", nodes: 1, client: "ioredis 6" };

/**
 * `set-nx`, renewed on a timer for as long as it is held: every `renewEveryMs`, a third of the TTL unless told. The
 * holder hears that the lock is lost when a renewal finds another owner, and when the lease ends before a renewal was
 * confirmed, whatever kept it: an error, a mute server, an event loop that was blocked.
 */
const setNxRenewing: LockModule = {
  capabilities,
  createLock(context) {
    const { renewEveryMs } = readOptions("set-nx-renewing", { renewEveryMs: milliseconds.optional() }, context.options);
    const { client, db } = connectSingle(context, "set-nx-renewing", {
      extendIfOwner: { lua: EXTEND_IF_OWNER, numberOfKeys: 1 },
      releaseIfOwner: { lua: RELEASE_IF_OWNER, numberOfKeys: 1 },
    });
    const nowMs = context.monotonicMs ?? (() => performance.now());
    const physical = (key: string) => `${context.keyPrefix}lock:${key}`;
    const renewals = createRenewals({
      nowMs,
      renew: async ({ key, token, ttlMs }) => (await client.extendIfOwner(physical(key), token, ttlMs)) === 1,
    });
    return {
      capabilities,
      async acquire(key, ttlMs) {
        const token = newToken();
        const askedAtMs = nowMs();
        try {
          if ((await client.set(physical(key), token, "PX", ttlMs, "NX")) !== "OK") return { outcome: "refused" };
        } catch (error) {
          return acquireError(error);
        }
        const tookMs = nowMs() - askedAtMs;
        if (tookMs >= ttlMs) {
          client.releaseIfOwner(physical(key), token).catch(() => {});
          const error = new Error(`the grant came ${Math.round(tookMs)} ms after it was asked for: its lease is over`);
          return { outcome: "indeterminate", error };
        }
        renewals.begin({ key, token, ttlMs }, { askedAtMs, everyMs: renewEveryMs ?? ttlMs / 3 });
        return { outcome: "granted", token };
      },
      async release(key, token) {
        renewals.end(token);
        return await releaseIfOwner(client, physical(key), token);
      },
      onLost: renewals.onLost,
      redisKeys: (key) => [{ node: 1, db, key: physical(key) }],
      async close() {
        renewals.endAll();
        client.disconnect();
      },
    };
  },
};

export default setNxRenewing;
