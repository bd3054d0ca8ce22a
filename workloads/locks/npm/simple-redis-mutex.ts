import type { ChangedDefault, LockCapabilities, LockModule } from "../../../harness/contracts/lock-adapter.ts";
import { loadPackage } from "../../load-package.ts";
import { readOptions } from "../options.ts";
import { acquireError, updateError } from "../outcomes.ts";
import { onlyNode } from "../single-node.ts";
import { createNodeLog } from "./node-log.ts";
import { connectNodeRedis, type NodeRedisClient } from "./node-redis-client.ts";
import { npmPackages } from "./packages.ts";

interface Release {
  (): Promise<void>;
  refreshTimeout(): Promise<void>;
  fencingToken: number;
}

interface SimpleRedisMutex {
  tryLock(client: NodeRedisClient, name: string, options: { timeout: number }): Promise<[boolean, Release]>;
}

const capabilities: LockCapabilities = {
  ...{
    renewal: "manual",
    fencing: "non-atomic",
    nodes: 1,
    client: "redis 5",
    sentinel: false,
    commandTimeout: "unsent",
  },
};

const changedDefaults: readonly ChangedDefault[] = [
  { option: "timeout", libraryDefault: 30_000, used: "the TTL", why: "the lease is the run's" },
];

/** The library's own names, the same for everybody on the server: no prefix of the run can be put before them. */
const LOCK_PREFIX = "@simple-redis-mutex:lock-";
const COUNTER = "@simple-redis-mutex:fencing-tokens";

/** Time for the library to close its subscriber after its client, ms. */
const SUBSCRIBER_GRACE_MS = 1_000;

/**
 * simple-redis-mutex 3.0.0, `tryLock`. Its fencing tokens come from one counter for all locks, by an INCR after the SET.
 * `refreshTimeout` renews for the TTL of the acquire, whatever is asked for, and its release does not tell what came of
 * it. The token, which it keeps to itself, is read off its SET.
 */
const simpleRedisMutex: LockModule = {
  capabilities,
  changedDefaults,
  packages: [npmPackages.simpleRedisMutex, npmPackages.nodeRedis5],
  async createLock(context) {
    readOptions("simple-redis-mutex", {}, context.options);
    const { tryLock } = loadPackage<SimpleRedisMutex>(npmPackages.simpleRedisMutex);
    const node = onlyNode(context, "simple-redis-mutex");
    const client = await connectNodeRedis(node, context);
    const subscribers = watchDuplicates(client);
    const log = createNodeLog();
    for (const method of ["set", "pExpire"]) log.watch(1, client, method);
    const nameOf = (key: string) => `${context.keyPrefix}${key}`;
    const holds = new Map<string, Release>();
    return {
      capabilities,
      async acquire(key, ttlMs) {
        const tape = log.tape();
        try {
          const [isHeld, release] = await tape.record(() => tryLock(client, nameOf(key), { timeout: ttlMs }));
          if (!isHeld) return { outcome: "refused" };
          const token = String(tape.calls.find(({ method }) => method === "set")?.args[1]);
          holds.set(token, release);
          return { outcome: "granted", token, fencingToken: release.fencingToken };
        } catch (error) {
          // The SET may have been answered, and the INCR after it not.
          return tape.calls.some(({ method, result }) => method === "set" && "reply" in result)
            ? { outcome: "indeterminate", error }
            : acquireError(error);
        }
      },
      async extend(_key, token) {
        const release = holds.get(token);
        if (!release) return { outcome: "not-owner" };
        const tape = log.tape();
        try {
          await tape.record(() => release.refreshTimeout());
          const renewed = tape.calls.some(({ result }) => "reply" in result && Number(result.reply) === 1);
          return { outcome: renewed ? "extended" : "not-owner" };
        } catch (error) {
          return updateError(error);
        }
      },
      async release(_key, token) {
        const release = holds.get(token);
        if (!release) return { outcome: "not-owner" };
        holds.delete(token);
        try {
          await release();
          return { outcome: "unknown", error: new Error("simple-redis-mutex does not tell what came of a release") };
        } catch (error) {
          return updateError(error);
        }
      },
      redisKeys: (key) => [
        { node: 1, db: node.db, key: `${LOCK_PREFIX}${nameOf(key)}` },
        { node: 1, db: node.db, key: COUNTER, role: "counter" },
      ],
      async close() {
        client.destroy();
        // The library closes its subscriber by itself when its client ended.
        for (let waitedMs = 0; waitedMs < SUBSCRIBER_GRACE_MS && subscribers.some(isOpen); waitedMs += 10) {
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
        for (const subscriber of subscribers.filter(isOpen)) subscriber.destroy();
      },
    };
  },
};

export default simpleRedisMutex;

const isOpen = (client: NodeRedisClient) => client.isOpen;

/** The clients that the library makes by duplicating the one that it was given. */
function watchDuplicates(client: NodeRedisClient): NodeRedisClient[] {
  const duplicates: NodeRedisClient[] = [];
  const duplicate = client.duplicate.bind(client);
  client.duplicate = (...args) => {
    const made = duplicate(...args);
    duplicates.push(made);
    return made;
  };
  return duplicates;
}
