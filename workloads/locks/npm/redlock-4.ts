import type { Redis } from "ioredis";
import type { ChangedDefault, LockCapabilities, LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { loadPackage } from "../../load-package.ts";
import { connectIoredisNodes } from "./ioredis-nodes.ts";
import { notGranted } from "./not-granted.ts";
import { npmPackages } from "./packages.ts";
import { readRetries } from "./retries.ts";

interface Redlock4Lock {
  value: string;
  /** ms since the epoch. */
  expiration: number;
}

type Redlock4 = new (
  clients: readonly Redis[],
  settings: { retryCount: number },
) => {
  lock(resource: string, ttlMs: number): PromiseLike<Redlock4Lock>;
  extend(lock: Redlock4Lock, ttlMs: number): PromiseLike<Redlock4Lock>;
  unlock(lock: Redlock4Lock): PromiseLike<void>;
};

const capabilities: LockCapabilities = { renewal: "manual", fencing: "none", nodes: 5, client: "ioredis 6" };

const changedDefaults: readonly ChangedDefault[] = [
  { option: "retryCount", libraryDefault: 10, used: 0, why: "an acquire is one attempt" },
];

/**
 * redlock 4.2.0. Its retryCount can only be set for the whole instance, since a 0 per call counts as absent. It waits for
 * the answer of every node, so a mute one holds up each operation until its client gives up.
 */
const redlock4: LockModule = {
  capabilities,
  changedDefaults,
  packages: [npmPackages.redlock4],
  createLock(context) {
    const retryCount = readRetries("redlock-4", context.options);
    const Redlock = loadPackage<Redlock4>(npmPackages.redlock4);
    const nodes = connectIoredisNodes(context, "redlock-4");
    const redlock = new Redlock(nodes.clients, { retryCount });
    const holds = new Map<string, Redlock4Lock>();
    return {
      capabilities,
      async acquire(key, ttlMs) {
        const tape = nodes.log.tape();
        try {
          const hold = await tape.record(async () => redlock.lock(nodes.keyOf(key), ttlMs));
          holds.set(hold.value, hold);
          return { outcome: "granted", token: hold.value, validUntil: hold.expiration };
        } catch (error) {
          return notGranted(error, { nodes: nodes.clients.length, nodeErrors: tape.errors() });
        }
      },
      async extend(_key, token, ttlMs) {
        const hold = holds.get(token);
        if (!hold) return { outcome: "not-owner" };
        const tape = nodes.log.tape();
        try {
          const { expiration } = await tape.record(async () => redlock.extend(hold, ttlMs));
          return { outcome: "extended", validUntil: expiration };
        } catch (error) {
          return tape.errors().length > 0 ? { outcome: "unknown", error } : { outcome: "not-owner" };
        }
      },
      async release(_key, token) {
        const hold = holds.get(token);
        if (!hold) return { outcome: "not-owner" };
        holds.delete(token);
        const tape = nodes.log.tape();
        try {
          await tape.record(async () => redlock.unlock(hold));
          return { outcome: "released" };
        } catch (error) {
          return tape.errors().length > 0 ? { outcome: "unknown", error } : { outcome: "not-owner" };
        }
      },
      redisKeys: (key) => nodes.everywhere(nodes.keyOf(key)),
      close: nodes.close,
    };
  },
};

export default redlock4;
