import { setTimeout as sleep } from "node:timers/promises";
import type { RedisNodeHandle } from "../node-handle.ts";
import { arrangeReplication, roleOf, untilInStep } from "../replication.ts";
import { type RedisServer, startRedisServer } from "../server.ts";
import {
  type Failover,
  firstUnplannedExit,
  type RunningTopology,
  revive,
  serversOf,
  startNodes,
  startTogether,
  stopAll,
  type TopologyContext,
} from "./topology.ts";

export const PRIMARY_NAME = "holdfast";
const SENTINELS = 3;
export const QUORUM = 2;
const AGREE_TIMEOUT_MS = 30_000;

/** Short, so that a failover takes seconds: without an answer for 1 s a server is down, a failed attempt is repeated after 6 s. */
export const SETTINGS = {
  "down-after-milliseconds": "1000",
  "failover-timeout": "3000",
  "parallel-syncs": "2",
} as const;

interface Sentinel {
  name: string;
  host: string;
  port: number;
  server: RedisServer;
}

/** A primary, `node:1`, with replicas, and three sentinels that promote one of them when the primary is gone. */
export async function startSentinel(context: TopologyContext): Promise<RunningTopology> {
  const nodes = await startNodes(context, context.nodes ?? 3);
  const servers = serversOf(nodes);
  const [primary, ...replicas] = nodes as [RedisNodeHandle, ...RedisNodeHandle[]];
  let sentinels: Sentinel[] = [];
  try {
    await arrangeReplication(primary, replicas);
    sentinels = await startSentinels(context);
    await watchPrimary(sentinels, primary);
    await untilAgreed(sentinels, nodes);
    return running(nodes, sentinels);
  } catch (error) {
    await stopAll([...servers, ...sentinels.map(({ server }) => server)]);
    throw error;
  }
}

function running(nodes: readonly RedisNodeHandle[], sentinels: readonly Sentinel[]): RunningTopology {
  const [primary, ...replicas] = nodes as [RedisNodeHandle, ...RedisNodeHandle[]];
  const servers = serversOf(nodes);
  const all = [...servers, ...sentinels.map(({ server }) => server)];
  return {
    nodes,
    clientNodes: [primary],
    sentinelGroup: {
      ...{ primaryName: PRIMARY_NAME, sentinels },
      primary: () => primaryIndex(nodes, sentinels),
      onFailover: (listener) => watchFailovers(nodes, sentinels, listener),
    },
    async reset() {
      await Promise.all(all.map(revive));
      if (!(await isAsAtTheStart(nodes, sentinels))) {
        // They would undo every change of roles for as long as they watch.
        for (const { server } of sentinels) await server.admin.call("SENTINEL", "REMOVE", PRIMARY_NAME).catch(() => {});
        await arrangeReplication(primary, replicas);
        await watchPrimary(sentinels, primary);
      }
      await primary.server?.flush();
      await untilInStep(primary, replicas);
      await untilAgreed(sentinels, nodes);
    },
    unplannedExit: firstUnplannedExit(all),
    stop: () => stopAll(all),
  };
}

async function startSentinels(context: TopologyContext): Promise<Sentinel[]> {
  const { redis, supervisor, folder, network } = context;
  const names = Array.from({ length: SENTINELS }, (_, index) => `sentinel:${index + 1}`);
  const start = (name: string) =>
    startRedisServer({
      redis,
      supervisor,
      folder,
      name,
      sentinel: true,
      sourceAddress: network?.sourceAddress?.(name),
    });
  const started = await startTogether(names.map(start));
  return Promise.all(
    started.map(async (server) => {
      const { name, host, port } = server;
      const address = network ? await network.addNode({ name, upstream: { host, port } }) : { host, port };
      await server.admin.call("SENTINEL", "CONFIG", "SET", "announce-ip", address.host);
      await server.admin.call("SENTINEL", "CONFIG", "SET", "announce-port", String(address.port));
      return { name, ...address, server };
    }),
  );
}

async function watchPrimary(sentinels: readonly Sentinel[], { address }: RedisNodeHandle): Promise<void> {
  const settings = Object.entries(SETTINGS).flat();
  for (const { server } of sentinels) {
    await server.admin.call("SENTINEL", "MONITOR", PRIMARY_NAME, address.host, String(address.port), String(QUORUM));
    await server.admin.call("SENTINEL", "SET", PRIMARY_NAME, ...settings);
  }
}

async function watchFailovers(
  nodes: readonly RedisNodeHandle[],
  sentinels: readonly Sentinel[],
  listener: (failover: Failover) => void,
): Promise<() => void> {
  let primary = nodes[await primaryIndex(nodes, sentinels)]?.name ?? "";
  const subscribers = await Promise.all(
    sentinels.map(async ({ server }) => {
      const subscriber = server.admin.duplicate();
      subscriber.on("error", () => {});
      subscriber.on("message", (channel: string, message: string) => {
        const atNs = process.hrtime.bigint();
        const node = nodes.find((each) => isView(promotedIn(channel, message), each))?.name;
        if (node === undefined || node === primary) return;
        const former = primary;
        primary = node;
        listener({ atNs, node, former });
      });
      await subscriber.subscribe(PROMOTED, SWITCHED);
      return subscriber;
    }),
  );
  return () => {
    for (const subscriber of subscribers) subscriber.disconnect();
  };
}

/** From here on the sentinel that leads the failover sends clients to the new primary; the switch may follow seconds later. */
const PROMOTED = "+promoted-slave";
/** Told by every sentinel, once it has heard of it. */
const SWITCHED = "+switch-master";

/**
 * The new primary: `slave <name> <ip> <port> @ ...` of the first, `<name> <old ip> <old port> <new ip> <new port>` of the
 * second. Source: redis.io, "High availability with Redis Sentinel", Pub/Sub messages.
 */
function promotedIn(channel: string, message: string): { ip: string; port: string } {
  const words = message.split(" ");
  const [ip = "", port = ""] = channel === PROMOTED ? words.slice(2, 4) : words.slice(3, 5);
  return { ip, port };
}

/** Each knows the same primary, all its replicas and all other sentinels, and sees nobody down. */
async function untilAgreed(sentinels: readonly Sentinel[], nodes: readonly RedisNodeHandle[]): Promise<void> {
  const deadline = performance.now() + AGREE_TIMEOUT_MS;
  for (const { name, server } of sentinels) {
    for (;;) {
      const seen = await viewOf(server);
      const knowsAll =
        Number(seen["num-slaves"]) === nodes.length - 1 && Number(seen["num-other-sentinels"]) === SENTINELS - 1;
      if (knowsAll && seen.flags === "master" && (await seesAll(server))) break;
      if (performance.now() > deadline) {
        throw new Error(
          `${name} does not know all servers after ${AGREE_TIMEOUT_MS / 1000} s: ${JSON.stringify(seen)}`,
        );
      }
      await sleep(20);
    }
  }
}

async function seesAll({ admin }: RedisServer): Promise<boolean> {
  for (const kind of ["REPLICAS", "SENTINELS"]) {
    const others = ((await admin.call("SENTINEL", kind, PRIMARY_NAME)) as string[][]).map(pairs);
    if (others.some(({ flags = "" }) => /down|disconnected/.test(flags))) return false;
  }
  return true;
}

async function viewOf({ admin }: RedisServer): Promise<Record<string, string>> {
  try {
    return pairs((await admin.call("SENTINEL", "MASTER", PRIMARY_NAME)) as string[]);
  } catch {
    return {};
  }
}

/** The node that a majority of the sentinels take for the primary. */
async function primaryIndex(nodes: readonly RedisNodeHandle[], sentinels: readonly Sentinel[]): Promise<number> {
  const views = await Promise.all(sentinels.map(({ server }) => viewOf(server)));
  const index = nodes.findIndex((node) => views.filter((view) => isView(view, node)).length >= QUORUM);
  if (index < 0) throw new Error("The sentinels do not agree on a primary.");
  return index;
}

async function isAsAtTheStart(nodes: readonly RedisNodeHandle[], sentinels: readonly Sentinel[]): Promise<boolean> {
  const [primary] = nodes as [RedisNodeHandle];
  const views = await Promise.all(sentinels.map(({ server }) => viewOf(server)));
  if (!views.every((view) => isView(view, primary))) return false;
  const roles = await Promise.all(nodes.map(({ admin }) => roleOf(admin)));
  return roles.every((role, index) => role === (index === 0 ? "master" : "slave"));
}

function isView({ ip, port }: Record<string, string>, { address }: RedisNodeHandle): boolean {
  return ip === address.host && port === String(address.port);
}

/** A flat reply of names and values, or the map that it is under RESP3. */
function pairs(reply: readonly string[] | Record<string, string>): Record<string, string> {
  if (!Array.isArray(reply)) return reply as Record<string, string>;
  const found: Record<string, string> = {};
  for (let index = 0; index + 1 < reply.length; index += 2) found[reply[index] as string] = reply[index + 1] as string;
  return found;
}
