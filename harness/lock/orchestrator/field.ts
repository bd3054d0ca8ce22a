import { Redis } from "ioredis";
import type { LockNode } from "../../contracts/lock-adapter.ts";
import type { LockPlan } from "../../contracts/lock-plan.ts";
import { messageOf, UnavailableError } from "../../errors.ts";
import { type FaultProxy, startFaultProxy } from "../../faults/proxy/fault-proxy.ts";
import { sourceAddress } from "../../faults/proxy/sources.ts";
import type { RedisInstallation } from "../../redis/installation.ts";
import type { NodeNetwork, RedisNodeHandle } from "../../redis/node-handle.ts";
import { type NodeAddress, parseRedisUrl } from "../../redis/redis-url.ts";
import { startRedisServer, type UnplannedExit } from "../../redis/server.ts";
import { clientOptions, connectExternal } from "../../redis/topologies/external.ts";
import { startTopology } from "../../redis/topologies/registry.ts";
import type { RunningTopology } from "../../redis/topologies/topology.ts";
import type { Supervisor } from "../../supervisor/parent.ts";

/** The servers and the network of a run, as the workers, the faults and the load generator each see them. */
export interface LockField {
  topology: RunningTopology;
  /** Where workers find the lock's nodes: behind the proxy, where there is one. */
  lockNodes: readonly LockNode[];
  queueNode: LockNode;
  /** Where the load generator finds the queue: past the proxy. */
  queueNodeDirect: LockNode;
  witnessNode: LockNode;
  network: FaultProxy | undefined;
  /** What a worker must be told so that the proxy knows its connections. */
  sourceAddressOf(worker: number): { sourceAddress?: { localAddress: string; ports: readonly number[] } };
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
  supervisor: Supervisor;
  temporaryFolder: string;
  keyPrefix: string;
  /** Servers that run already and are not owned; they take the place of the lock's. */
  redisUrls: readonly string[];
}

/** How long a node may take to answer after everything was healed, ms. */
const ANSWER_LIMIT_MS = 10_000;

/** Starts every server of a plan, or connects to those that are there, and the proxy before the lock's nodes. */
export async function openField(options: FieldOptions): Promise<LockField> {
  const { plan, redis, supervisor, temporaryFolder, redisUrls } = options;
  const start = (name: string) => startRedisServer({ redis, supervisor, folder: temporaryFolder, name });
  // A client is told host and port: a socket's path is behind the proxy, whether or not there are faults.
  const needsProxy = plan.proxied || redisUrls.some((url) => parseRedisUrl(url).path !== undefined);
  const proxy = needsProxy ? await startFaultProxy({ supervisor, seed: plan.seed }) : undefined;
  const [topology, witness, ownQueue] = await Promise.all([
    openTopology(options, proxy),
    start("witness"),
    plan.queueOn === "own" ? start("queue") : undefined,
  ]);
  const { nodes, clientNodes } = topology;
  const [first] = clientNodes as [RedisNodeHandle];
  const lockNodes = clientNodes.map(({ address }) => lockNode(address));
  return {
    ...{ topology, lockNodes, network: proxy },
    queueNode: ownQueue ? loopback(ownQueue) : lockNode(first.address),
    queueNodeDirect: ownQueue
      ? loopback(ownQueue)
      : lockNode(first.direct.path === undefined ? first.direct : first.address),
    witnessNode: loopback(witness),
    sourceAddressOf(worker) {
      if (!proxy) return {};
      const ports = nodes.map(({ address }) => address.port);
      return { sourceAddress: { localAddress: sourceAddress(`client:${worker}`), ports } };
    },
    async answers() {
      await Promise.all(clientNodes.map(answersAt));
    },
    async empty() {
      await Promise.all([topology.reset(), ownQueue?.flush()]);
    },
    broken: unplannedEnd(
      [topology.unplannedExit, witness.unplannedExit, ...(ownQueue ? [ownQueue.unplannedExit] : [])],
      proxy,
    ),
    async close() {
      await Promise.all([topology.stop(), witness.stop(), ownQueue?.stop(), proxy?.close()]);
    },
  };
}

function openTopology(options: FieldOptions, proxy: FaultProxy | undefined): Promise<RunningTopology> {
  const { plan, redis, supervisor, temporaryFolder, keyPrefix, redisUrls } = options;
  const network: NodeNetwork | undefined = proxy && { addNode: (node) => proxy.addNode(node), sourceAddress };
  if (plan.topology === "external") return connectExternal({ urls: redisUrls, keyPrefix, network });
  return startTopology[plan.topology]({ redis, supervisor, folder: temporaryFolder, network });
}

const loopback = ({ host, port }: { host: string; port: number }): LockNode => ({ host, port, db: 0 });

function lockNode({ path: _, ...address }: NodeAddress): LockNode {
  return address;
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

function unplannedEnd(exits: readonly Promise<UnplannedExit>[], proxy: FaultProxy | undefined): Promise<never> {
  const serverEnd = Promise.race(exits).then(({ name, code, signal, log }): never => {
    const how = signal ?? `exit code ${code}`;
    throw new UnavailableError(
      `The Redis server ${name} ended though nothing had asked it to (${how}). Its last words: ${log.trim() || "none"}`,
      { code: "REDIS_DIED" },
    );
  });
  const proxyEnd = new Promise<never>((_, reject) => proxy?.once("died", reject));
  const broken = Promise.race([serverEnd, proxyEnd]);
  broken.catch(() => {});
  return broken;
}
