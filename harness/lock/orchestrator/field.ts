import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import type { LockNode } from "../../contracts/lock-adapter.ts";
import type { LockPlan } from "../../contracts/lock-plan.ts";
import { messageOf, UnavailableError } from "../../errors.ts";
import type { FaultNetwork } from "../../faults/fault.ts";
import type { RedisInstallation } from "../../redis/installation.ts";
import { removeKeysAfterDeath } from "../../redis/leftover-keys.ts";
import type { RedisNodeHandle } from "../../redis/node-handle.ts";
import { type NodeAddress, parseRedisUrl } from "../../redis/redis-url.ts";
import { roleOf } from "../../redis/replication.ts";
import { startRedisServer, type UnplannedExit } from "../../redis/server.ts";
import { mountSmallDisk } from "../../redis/small-disk.ts";
import { clientOptions, connectExternal } from "../../redis/topologies/external.ts";
import { startTopology } from "../../redis/topologies/registry.ts";
import type { RunningTopology, SentinelGroup } from "../../redis/topologies/topology.ts";
import type { Supervisor } from "../../supervisor/parent.ts";
import type { ClientMark } from "../messages.ts";
import { startMutexServer } from "../mutex/server.ts";
import { openNetwork, type RunNetwork } from "./run-network.ts";
import type { Surroundings } from "./surroundings.ts";

/** The servers and the network of a run, as the workers, the faults and the load generator each see them. */
export interface LockField {
  topology: RunningTopology;
  /** Where workers find the lock's nodes: behind the proxy, where there is one. */
  lockNodes: readonly LockNode[];
  queueNode: LockNode;
  /** Where the load generator finds the queue: past the proxy. */
  queueNodeDirect: LockNode;
  witnessNode: LockNode;
  network: FaultNetwork | undefined;
  /** Address of the mutex server, for the lock that asks it. */
  mutexAddress: string;
  /** What a worker must be told so that the proxy knows its connections. */
  markOf(worker: number): { mark?: ClientMark };
  /**
   * Does everything answer again, the way workers reach it?
   * @throws Error that names what does not
   */
  answers(): Promise<void>;
  /** Removes everything that a round left on the servers, the witness excepted. */
  empty(): Promise<void>;
  /** Rejects when a server or the proxy ends that nobody ended. */
  broken: Promise<never>;
  close(): Promise<void>;
}

export interface FieldOptions {
  plan: LockPlan;
  redis: RedisInstallation;
  surroundings: Surroundings;
  supervisor: Supervisor;
  temporaryFolder: string;
  keyPrefix: string;
  /** Servers that run already and are not owned; they take the place of the lock's. */
  redisUrls: readonly string[];
  /** A Toxiproxy server to use in place of the harness's own proxy. */
  toxiproxyUrl?: string | undefined;
  runId: string;
}

/** How long a node may take to answer after everything was healed, ms. */
const ANSWER_LIMIT_MS = 10_000;
/** How long sentinels may take to agree on a primary, failed attempts to promote one included, ms. */
const FAILOVER_LIMIT_MS = 20_000;

/** Starts every server of a plan, or connects to those that are there, and the proxy before the lock's nodes. */
export async function openField(options: FieldOptions): Promise<LockField> {
  const { plan, redis, supervisor, temporaryFolder, redisUrls } = options;
  const start = (name: string) => startRedisServer({ redis, supervisor, folder: temporaryFolder, name });
  // A client is told host and port: a socket's path is behind the proxy, whether or not there are faults.
  const needsProxy = plan.proxied || redisUrls.some((url) => parseRedisUrl(url).path !== undefined);
  const network = needsProxy ? await openNetwork(options) : undefined;
  const [topology, witness, ownQueue, mutex] = await Promise.all([
    openTopology(options, network),
    start("witness"),
    plan.queueOn === "own" ? start("queue") : undefined,
    startMutexServer(),
  ]);
  const { nodes, clientNodes } = topology;
  const [first] = clientNodes as [RedisNodeHandle];
  const { sentinelGroup } = topology;
  const lockNodes = clientNodes.map(({ address }) => ({ ...lockNode(address), ...sentinelAddress(sentinelGroup) }));
  return {
    ...{ topology, lockNodes, network: network?.faults, mutexAddress: mutex.address },
    queueNode: ownQueue ? loopback(ownQueue) : lockNode(first.address),
    queueNodeDirect: ownQueue
      ? loopback(ownQueue)
      : lockNode(first.direct.path === undefined ? first.direct : first.address),
    witnessNode: loopback(witness),
    markOf(worker) {
      const mark = network?.markOf?.(worker);
      return mark ? { mark } : {};
    },
    async answers() {
      const primary = sentinelGroup && (await agreedPrimary(nodes, sentinelGroup));
      await Promise.all((primary ? [primary] : clientNodes).map(answersAt));
    },
    async empty() {
      await Promise.all(nodes.map(({ name }) => network?.faults.redirect?.(name, name)));
      await Promise.all([topology.reset(), ownQueue?.flush()]);
    },
    broken: unplannedEnd(
      [topology.unplannedExit, witness.unplannedExit, ...(ownQueue ? [ownQueue.unplannedExit] : [])],
      network,
    ),
    async close() {
      await Promise.all([topology.stop(), witness.stop(), ownQueue?.stop(), mutex.close()]);
      await network?.close();
    },
  };
}

async function openTopology(options: FieldOptions, runNetwork: RunNetwork | undefined): Promise<RunningTopology> {
  const { plan, redis, surroundings, supervisor, temporaryFolder, keyPrefix, redisUrls } = options;
  const network = runNetwork?.nodes;
  if (plan.topology === "external") {
    const running = await connectExternal({ urls: redisUrls, keyPrefix, network });
    const callOff = removeKeysAfterDeath({ urls: redisUrls, keyPrefix, folder: temporaryFolder, supervisor });
    return {
      ...running,
      async stop() {
        await running.stop();
        callOff();
      },
    };
  }
  const start = startTopology[plan.topology];
  const { env } = surroundings;
  if (!surroundings.smallDisk) return start({ redis, supervisor, folder: temporaryFolder, network, env });
  const folder = join(temporaryFolder, "disk");
  const disk = await mountSmallDisk(folder, supervisor);
  const running = await start({ redis, supervisor, folder, network, env }).catch(async (error: unknown) => {
    await disk.unmount();
    throw error;
  });
  return {
    ...running,
    async stop() {
      await running.stop();
      await disk.unmount();
    },
  };
}

const loopback = ({ host, port }: { host: string; port: number }): LockNode => ({ host, port, db: 0 });

function lockNode({ path: _, ...address }: NodeAddress): LockNode {
  return address;
}

function sentinelAddress(group: SentinelGroup | undefined): Pick<LockNode, "sentinel"> {
  if (!group) return {};
  const sentinels = group.sentinels.map(({ host, port }) => ({ host, port }));
  return { sentinel: { primaryName: group.primaryName, sentinels } };
}

/** The primary by the sentinels' word, once they agree and it takes itself for one. */
async function agreedPrimary(nodes: readonly RedisNodeHandle[], group: SentinelGroup): Promise<RedisNodeHandle> {
  const deadline = performance.now() + FAILOVER_LIMIT_MS;
  for (;;) {
    try {
      const primary = nodes[await group.primary()];
      if (primary && (await roleOf(primary.admin)) === "master") return primary;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    if (performance.now() > deadline) throw new Error("the sentinels name a primary that does not take itself for one");
    await sleep(50);
  }
}

/** A fresh connection, since an old one may have been through a fault and be in the middle of its recovery. */
async function answersAt({ name, address }: RedisNodeHandle): Promise<void> {
  const client = new Redis({
    ...clientOptions(address),
    connectTimeout: ANSWER_LIMIT_MS,
    commandTimeout: ANSWER_LIMIT_MS,
    retryStrategy: () => null,
  });
  client.on("error", () => {});
  try {
    await client.ping();
  } catch (error) {
    throw new Error(`${name} does not answer: ${messageOf(error)}`, { cause: error });
  } finally {
    client.disconnect();
  }
}

const LONGEST_WORDS = 160;

/** The last line or two that are no advice on the machine; without pid, role and time. */
function lastOfLog(log: string): string {
  const lines = log
    .trim()
    .split("\n")
    .filter((line) => !line.includes("WARNING"))
    .slice(-2)
    .map((line) =>
      line
        .replace(/^\d+:\w \d+ \w+ \d{4} [\d:.]+ [.*#-] /, "")
        .trim()
        .slice(0, LONGEST_WORDS),
    )
    .filter((line) => line !== "");
  return lines.length === 0
    ? ""
    : ` The last that it wrote: ${lines.map((line) => line.replace(/\.?$/, ".")).join(" ")}`;
}

function unplannedEnd(exits: readonly Promise<UnplannedExit>[], network: RunNetwork | undefined): Promise<never> {
  const serverEnd = Promise.race(exits).then(({ name, code, signal, log }): never => {
    const how = signal ?? `exit code ${code}`;
    throw new UnavailableError(
      `The Redis server ${name} was ended from outside of the run (${how}).${lastOfLog(log)} ` +
        "Start the run again; if nobody ended the server, look whether the system did (dmesg, out of memory).",
      { code: "REDIS_DIED" },
    );
  });
  const broken = Promise.race([serverEnd, ...(network ? [network.died] : [])]);
  broken.catch(() => {});
  return broken;
}
