import type { Redis } from "ioredis";
import type { LockCapabilities, LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { loadPackage } from "../../load-package.ts";
import { connectNode } from "../ioredis-client.ts";
import { readOptions } from "../options.ts";
import { acquireError, updateError } from "../outcomes.ts";
import { onlyNode } from "../single-node.ts";
import { npmPackages } from "./packages.ts";

type Callback<Value> = (error: Error | null | undefined, value: Value) => void;

type Warlock = (client: Redis) => {
  makeKey(key: string): string;
  lock(
    key: string,
    ttlMs: number,
    callback: (error: Error | null | undefined, unlock: unknown, id: string) => void,
  ): void;
  unlock(key: string, id: string, callback: Callback<number>): void;
  touch(key: string, id: string, ttlMs: number, callback: Callback<"OK" | 0>): void;
};

const capabilities: LockCapabilities = { renewal: "manual", fencing: "none", nodes: 1, client: "ioredis 6" };

/** node-redis-warlock 1.0.2 with ioredis; its renewal is called `touch`. It appends `:lock` to every key. */
const nodeRedisWarlock: LockModule = {
  capabilities,
  changedDefaults: [],
  packages: [npmPackages.nodeRedisWarlock],
  createLock(context) {
    readOptions("node-redis-warlock", {}, context.options);
    const warlockOf = loadPackage<Warlock>(npmPackages.nodeRedisWarlock);
    const node = onlyNode(context, "node-redis-warlock");
    const client = connectNode(node, context);
    const warlock = warlockOf(client);
    const nameOf = (key: string) => `${context.keyPrefix}lock:${key}`;
    return {
      capabilities,
      acquire(key, ttlMs) {
        return new Promise((resolve) => {
          warlock.lock(nameOf(key), ttlMs, (error, unlock, token) => {
            if (error) resolve(acquireError(error));
            else resolve(unlock ? { outcome: "granted", token } : { outcome: "refused" });
          });
        });
      },
      extend(key, token, ttlMs) {
        return new Promise((resolve) => {
          warlock.touch(nameOf(key), token, ttlMs, (error, reply) => {
            if (error) resolve(updateError(error));
            else resolve(reply === "OK" ? { outcome: "extended" } : { outcome: "not-owner" });
          });
        });
      },
      release(key, token) {
        return new Promise((resolve) => {
          warlock.unlock(nameOf(key), token, (error, deleted) => {
            if (error) resolve(updateError(error));
            else resolve(deleted === 1 ? { outcome: "released" } : { outcome: "not-owner" });
          });
        });
      },
      redisKeys: (key) => [{ node: 1, db: node.db, key: warlock.makeKey(nameOf(key)) }],
      async close() {
        client.disconnect();
      },
    };
  },
};

export default nodeRedisWarlock;
