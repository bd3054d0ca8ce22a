import type { LockContext, LockNode } from "../../../harness/contracts/lock-adapter.ts";
import { loadPackage } from "../../load-package.ts";
import { atMost } from "./at-most.ts";
import { npmPackages } from "./packages.ts";

/** The part of a node-redis client that the adapters themselves need. */
export interface NodeRedisClient {
  readonly isOpen: boolean;
  connect(): Promise<unknown>;
  destroy(): void;
  duplicate(...args: unknown[]): NodeRedisClient;
  on(event: string, listener: (...args: unknown[]) => void): unknown;
}

interface NodeRedis {
  createClient(options: {
    socket: { host: string; port: number; tls?: boolean; servername?: string };
    database: number;
    username?: string;
    password?: string;
    commandOptions?: { timeout: number };
  }): NodeRedisClient;
}

/** The start waits so long for a server; a client that is not connected yet goes on trying by itself, ms. */
const CONNECT_LIMIT_MS = 2_000;

/**
 * A client of node-redis 5 with its defaults. Its command timeout ends when the command is written: a server that does
 * not answer is waited for without end.
 */
export async function connectNodeRedis(
  { host, port, tls, tlsServerName, db, username, password }: LockNode,
  { commandTimeoutMs }: LockContext,
): Promise<NodeRedisClient> {
  const { createClient } = loadPackage<NodeRedis>(npmPackages.nodeRedis5);
  const client = createClient({
    socket: { host, port, ...(tls ? { tls } : {}), ...(tlsServerName ? { servername: tlsServerName } : {}) },
    database: db,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(commandTimeoutMs === undefined ? {} : { commandOptions: { timeout: commandTimeoutMs } }),
  });
  client.on("error", () => {});
  await atMost(CONNECT_LIMIT_MS, client.connect());
  return client;
}
