import { Redis } from "ioredis";
import type { LockNode } from "../../contracts/lock-adapter.ts";
import type { LockPlan } from "../../contracts/lock-plan.ts";
import { messageOf, UnavailableError } from "../../errors.ts";
import type { FaultNode } from "../../faults/fault.ts";
import { type FaultProxy, startFaultProxy } from "../../faults/proxy/fault-proxy.ts";
import { sourceAddress } from "../../faults/proxy/sources.ts";
import type { RedisInstallation } from "../../redis/installation.ts";
import { type RedisServer, startRedisServer } from "../../redis/server.ts";
import type { Supervisor } from "../../supervisor/parent.ts";

/** The servers and the network of a run, as the workers, the faults and the load generator each see them. */
export interface LockField {
  /** Where workers find the lock's nodes: behind the proxy, where there is one. */
  lockNodes: readonly LockNode[];
  queueNode: LockNode;
  /** Where the load generator finds the queue: past the proxy. */
  queueNodeDirect: LockNode;
  witnessNode: LockNode;
  nodes: readonly FaultNode[];
  network: FaultProxy | undefined;
  /** What a worker must be told so that the proxy knows its connections. */
  sourceAddressOf(worker: number): { sourceAddress?: { localAddress: string; ports: readonly number[] } };
  /**
   * Does everything answer again, the way workers reach it?
   * @throws Error that names what does not
   */
  answers(): Promise<void>;
  /** Empties every server but the witness. */
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
}

/** How long a node may take to answer after everything was healed, ms. */
const ANSWER_LIMIT_MS = 10_000;

/** Starts every server of a plan, and the proxy before the lock's nodes. */
export async function openField({ plan, redis, supervisor, temporaryFolder }: FieldOptions): Promise<LockField> {
  const start = (name: string) => startRedisServer({ redis, supervisor, folder: temporaryFolder, name });
  const [node, witness, ownQueue, proxy] = await Promise.all([
    start("node:1"),
    start("witness"),
    plan.queueOn === "own" ? start("queue") : undefined,
    plan.proxied ? startFaultProxy({ supervisor, seed: plan.seed }) : undefined,
  ]);
  const nodes = [node];
  const emptied = ownQueue ? [...nodes, ownQueue] : nodes;
  const servers = [...emptied, witness];
  const seen = await Promise.all(nodes.map((server) => addressFor(server, proxy)));
  const [first] = seen as [LockNode];
  return {
    lockNodes: seen,
    queueNode: ownQueue ? direct(ownQueue) : first,
    queueNodeDirect: direct(ownQueue ?? node),
    witnessNode: direct(witness),
    nodes: nodes.map(faultNode),
    network: proxy,
    sourceAddressOf(worker) {
      if (!proxy) return {};
      return {
        sourceAddress: { localAddress: sourceAddress(`client:${worker}`), ports: seen.map(({ port }) => port) },
      };
    },
    async answers() {
      await Promise.all(nodes.map(({ name }, index) => answersAt(seen[index] as LockNode, name)));
    },
    async empty() {
      await Promise.all(emptied.map((server) => server.flush()));
    },
    broken: unplannedEnd(servers, proxy),
    async close() {
      await Promise.all([...servers.map((server) => server.stop()), proxy?.close()]);
    },
  };
}

const direct = ({ host, port }: { host: string; port: number }): LockNode => ({ host, port, db: 0 });

async function addressFor(server: RedisServer, proxy: FaultProxy | undefined): Promise<LockNode> {
  const { name, host, port } = server;
  return direct(proxy ? await proxy.addNode({ name, upstream: { host, port } }) : server);
}

/** A fresh connection, since an old one may have been through a fault and be in the middle of its recovery. */
async function answersAt({ host, port }: LockNode, name: string): Promise<void> {
  const client = new Redis({
    host,
    port,
    connectTimeout: ANSWER_LIMIT_MS,
    commandTimeout: ANSWER_LIMIT_MS,
    retryStrategy: null,
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

function faultNode(server: RedisServer): FaultNode {
  return { name: server.name, owned: true, pause: () => server.pause(), resume: () => server.resume() };
}

function unplannedEnd(servers: readonly RedisServer[], proxy: FaultProxy | undefined): Promise<never> {
  const serverEnd = Promise.race(servers.map(({ unplannedExit }) => unplannedExit)).then(
    ({ name, code, signal, log }): never => {
      const how = signal ?? `exit code ${code}`;
      throw new UnavailableError(
        `The Redis server ${name} ended though nothing had asked it to (${how}). Its last words: ${log.trim() || "none"}`,
        { code: "REDIS_DIED" },
      );
    },
  );
  const proxyEnd = new Promise<never>((_, reject) => proxy?.once("died", reject));
  const broken = Promise.race([serverEnd, proxyEnd]);
  broken.catch(() => {});
  return broken;
}
