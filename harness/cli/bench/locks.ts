import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { lockRegistry } from "../../../workloads/locks/registry.ts";
import type { MicroBenchmark, PreparedBenchmark } from "../../bench/micro-benchmark.ts";
import type { CreateLock, LockNode } from "../../contracts/lock-adapter.ts";
import { MUTEX_SERVER } from "../../contracts/mutex-server.ts";
import { exportedFunction, loadModule } from "../../load-module.ts";
import { findWorkload, loadLock } from "../workloads.ts";
import type { BenchServers } from "./servers.ts";

const TTL_MS = 30_000;
const KEYS = 1_000;
const BARE = "lock/bare-ioredis";
const RELEASE = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`;

/** Acquire and release of every lock, one cycle after the other, against the same two commands without a library. */
export function lockBenchmarks(servers: BenchServers): readonly MicroBenchmark[] {
  const locks = lockRegistry.filter(
    // The mutex of the checks lives in the orchestrator of a run, and there is none here.
    ({ name, family, queue }) => (family === "own" || family === "npm") && queue === undefined && name !== MUTEX_SERVER,
  );
  return [bare(servers), ...locks.map(({ name, family }) => cycle(name, family === "npm", servers))];
}

function bare(servers: BenchServers): MicroBenchmark {
  return {
    name: BARE,
    group: "lock",
    unit: "µs",
    summary: "SET NX PX and the release script, with ioredis alone",
    async prepare() {
      const [node] = await servers.nodes(1);
      const redis = new Redis({ host: node?.host ?? "", port: node?.port ?? 0 });
      redis.defineCommand("releaseOwn", { numberOfKeys: 1, lua: RELEASE });
      const release = Reflect.get(redis, "releaseOwn") as (key: string, token: string) => Promise<unknown>;
      let number = 0;
      return {
        async run() {
          const key = `bare:${number++ % KEYS}`;
          const token = randomUUID();
          await redis.set(key, token, "PX", TTL_MS, "NX");
          await release.call(redis, key, token);
          return undefined;
        },
        async close() {
          redis.disconnect();
        },
      };
    },
  };
}

function cycle(name: string, onlyByName: boolean, servers: BenchServers): MicroBenchmark {
  return {
    name: `lock/${name}`,
    group: "lock",
    unit: "µs",
    summary: "Acquires and releases a key that is free",
    ratioTo: BARE,
    ...(onlyByName ? { onlyByName } : {}),
    prepare: () => prepareCycle(name, servers),
  };
}

async function prepareCycle(name: string, servers: BenchServers): Promise<PreparedBenchmark> {
  const found = findWorkload("lock", name, ".");
  const { capabilities } = await loadLock(found);
  const nodes = await servers.nodes(capabilities?.nodes ?? 1);
  const createLock = exportedFunction<CreateLock>(await loadModule(found.ref.path), "createLock", found.ref.path);
  const lock = await createLock({
    nodes: nodes.map(({ host, port }): LockNode => ({ host, port, db: 0 })),
    keyPrefix: `bench:${name}:`,
    clock: Date,
    options: {},
  });
  const { signal } = new AbortController();
  let number = 0;
  let failed = 0;
  return {
    async run() {
      // A key of its own each time: what a slow machine leaves undecided is in nobody's way.
      const key = `key:${number++}`;
      const outcome = await lock.acquire(key, TTL_MS, { signal });
      if (outcome.outcome === "refused") throw new Error(`${name} refused a key that nobody held.`);
      if (outcome.outcome === "granted") await lock.release(key, outcome.token);
      else failed += 1;
      return undefined;
    },
    warning: () =>
      failed === 0
        ? undefined
        : `${failed} of ${number} acquisitions of ${name} failed; the figure holds their time too.`,
    close: () => lock.close(),
  };
}
