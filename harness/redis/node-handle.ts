import { isIP } from "node:net";
import type { Redis } from "ioredis";
import type { NodeAddress } from "./redis-url.ts";
import type { RedisServer } from "./server.ts";

/** A Redis server that locks under test, or their replicas, live on. Faults act on it. */
export interface RedisNodeHandle {
  /** `node:1`, `node:2`, ... */
  readonly name: string;
  /** False: a server that the run was pointed at and must not harm. */
  readonly owned: boolean;
  readonly version: string;
  /** Where it really is: for witnesses, traces and the load generator. */
  readonly direct: NodeAddress;
  /** Where clients, replicas and sentinels find it: behind the proxy, where there is one. */
  readonly address: NodeAddress;
  /** A client past every proxy. */
  readonly admin: Redis;
  /** Present when it is owned. */
  readonly server?: RedisServer;
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/** What may stand between a node and everyone who connects to it: the fault proxy. */
export interface NodeNetwork {
  /** Listens for a node; resolves with the address to use in its place. */
  addNode(node: { name: string; upstream: Upstream }): Promise<{ host: string; port: number }>;
  /** Source address by which the connections of a node or sentinel are known: `127.0.2.1` for `node:1`. Absent: there is none. */
  sourceAddress?(name: string): string;
}

export type Upstream = { host: string; port: number } | { path: string };

export async function ownedNode(server: RedisServer, network: NodeNetwork | undefined): Promise<RedisNodeHandle> {
  const { name, version, admin, host, port } = server;
  const direct = { host, port, db: 0 };
  const address = network ? { ...(await network.addNode({ name, upstream: { host, port } })), db: 0 } : direct;
  return { name, owned: true, version, direct, address, admin, server, pause: server.pause, resume: server.resume };
}

export async function externalNode(
  node: { name: string; version: string; direct: NodeAddress; admin: Redis },
  network: NodeNetwork | undefined,
): Promise<RedisNodeHandle> {
  const { name, direct } = node;
  const upstream = direct.path === undefined ? { host: direct.host, port: direct.port } : { path: direct.path };
  // Credentials and database go on; the socket's path does not, since the proxy listens on a port.
  const { path: _, ...without } = direct;
  // The certificate is the server's, not the proxy's. An IP address is no name that TLS could ask for.
  const certified = direct.tls && !isIP(direct.host) ? { tlsServerName: direct.host } : {};
  const address = network ? { ...without, ...certified, ...(await network.addNode({ name, upstream })) } : direct;
  const refuse = () => Promise.reject(new Error(`${name} is not a server of this run: it cannot be stopped`));
  return { ...node, owned: false, address, pause: refuse, resume: refuse };
}
