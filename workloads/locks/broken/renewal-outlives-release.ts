import type { LockCapabilities, LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { milliseconds, readOptions } from "../options.ts";
import { acquireError } from "../outcomes.ts";
import { releaseIfOwner } from "../release-if-owner.ts";
import { RELEASE_IF_OWNER } from "../scripts.ts";
import { connectSingle } from "../single-node.ts";
import { newToken } from "../token.ts";

const capabilities: LockCapabilities = { renewal: "auto", fencing: "none", nodes: 1, client: "ioredis 6" };

/**
 * Broken on purpose: the release leaves the timer alone; the renewal is to notice by itself that the key is gone. It
 * renews once more after every release, and when the next holder was quicker it renews that one's lock for ever.
 */
const renewalOutlivesRelease: LockModule = {
  capabilities,
  createLock(context) {
    const { renewEveryMs } = readOptions(
      "broken-renewal-outlives-release",
      { renewEveryMs: milliseconds.optional() },
      context.options,
    );
    const { client, db } = connectSingle(context, "broken-renewal-outlives-release", {
      releaseIfOwner: { lua: RELEASE_IF_OWNER, numberOfKeys: 1 },
    });
    const physical = (key: string) => `${context.keyPrefix}lock:${key}`;
    const timers = new Set<NodeJS.Timeout>();

    function renewUntilGone(key: string, ttlMs: number): void {
      const timer = setInterval(
        async () => {
          const renewed = await client.pexpire(physical(key), ttlMs).catch(() => 1);
          if (renewed === 1) return;
          clearInterval(timer);
          timers.delete(timer);
        },
        renewEveryMs ?? Math.max(1, Math.floor(ttlMs / 3)),
      );
      timers.add(timer);
    }

    return {
      capabilities,
      async acquire(key, ttlMs) {
        const token = newToken();
        try {
          if ((await client.set(physical(key), token, "PX", ttlMs, "NX")) !== "OK") return { outcome: "refused" };
        } catch (error) {
          return acquireError(error);
        }
        renewUntilGone(key, ttlMs);
        return { outcome: "granted", token };
      },
      async release(key, token) {
        return await releaseIfOwner(client, physical(key), token);
      },
      redisKeys: (key) => [{ node: 1, db, key: physical(key) }],
      async close() {
        for (const timer of timers) clearInterval(timer);
        client.disconnect();
      },
    };
  },
};

export default renewalOutlivesRelease;
