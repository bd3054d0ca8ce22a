import type { Supervisor } from "../../supervisor/parent.ts";
import type { RedisInstallation } from "../installation.ts";
import { type NodeNetwork, ownedNode, type RedisNodeHandle } from "../node-handle.ts";
import { type RedisServer, startRedisServer, type UnplannedExit } from "../server.ts";
import type { Directives } from "../server-config.ts";

export interface TopologyContext {
  redis: RedisInstallation;
  supervisor: Supervisor;
  /** The run's temporary folder. */
  folder: string;
  /** Absent: everyone connects to the nodes themselves. */
  network?: NodeNetwork | undefined;
  /** How many nodes, where a topology can have more or fewer. */
  nodes?: number;
  persistence?: "none" | "aof";
  /** Further directives for every node. */
  config?: Directives;
  /** Further environment for every node, such as LD_PRELOAD for a faked clock. */
  env?: Readonly<Record<string, string>>;
}

/** Sentinels as a client needs them. */
export interface SentinelGroup {
  /** The name that they know the primary by. */
  primaryName: string;
  /** Where clients find them. */
  sentinels: readonly { name: string; host: string; port: number; server: RedisServer }[];
  /** Index in `nodes` of the primary that they agree on. */
  primary(): Promise<number>;
  /** Tells of every failover, when the first sentinel announces it; gives the function that stops it. */
  onFailover(listener: (failover: Failover) => void): Promise<() => void>;
}

export interface Failover {
  /** Monotonic, ns. */
  atNs: bigint;
  /** The new primary: `node:2`. */
  node: string;
  /** The former one. */
  former: string;
}

/** Servers that run, in their arrangement. */
export interface RunningTopology {
  readonly nodes: readonly RedisNodeHandle[];
  /** The nodes whose addresses a lock is given, in this order: one, or the members of a quorum. */
  readonly clientNodes: readonly RedisNodeHandle[];
  /** Present where sentinels say who the primary is. */
  readonly sentinelGroup?: SentinelGroup;
  /** No keys, no scripts, and every server alive and in the role it had at the start. */
  reset(): Promise<void>;
  /** Resolves with the first server that ended though nobody had asked it to. */
  readonly unplannedExit: Promise<UnplannedExit>;
  stop(): Promise<void>;
}

export type StartTopology = (context: TopologyContext) => Promise<RunningTopology>;

/** Starts servers `node:1` to `node:N` at once; when one fails, none stays. */
export async function startNodes(context: TopologyContext, count: number): Promise<RedisNodeHandle[]> {
  const names = Array.from({ length: count }, (_, index) => `node:${index + 1}`);
  const servers = await startTogether(
    names.map((name) => startRedisServer({ ...context, name, sourceAddress: context.network?.sourceAddress?.(name) })),
  );
  return Promise.all(servers.map((server) => ownedNode(server, context.network)));
}

export async function startTogether(starting: readonly Promise<RedisServer>[]): Promise<RedisServer[]> {
  const started = await Promise.allSettled(starting);
  const servers = started.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  const failed = started.find((outcome) => outcome.status === "rejected");
  if (!failed) return servers;
  await stopAll(servers);
  throw failed.reason;
}

export function firstUnplannedExit(servers: readonly RedisServer[]): Promise<UnplannedExit> {
  return Promise.race(servers.map(({ unplannedExit }) => unplannedExit));
}

export async function stopAll(servers: readonly RedisServer[]): Promise<void> {
  await Promise.all(servers.map((server) => server.stop()));
}

/** Continues or restarts what a fault left stopped or dead. */
export async function revive(server: RedisServer): Promise<void> {
  if (!server.alive) await server.restart({ emptied: true });
  else if (!(await server.ping(500))) await server.resume();
}

/** The servers behind nodes that the run owns. */
export function serversOf(nodes: readonly RedisNodeHandle[]): RedisServer[] {
  return nodes.flatMap(({ server }) => (server ? [server] : []));
}
