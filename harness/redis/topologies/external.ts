import { Redis } from "ioredis";
import { messageOf, UnavailableError, UsageError } from "../../errors.ts";
import { adminClient } from "../admin-client.ts";
import { externalNode, type NodeNetwork, type RedisNodeHandle } from "../node-handle.ts";
import { deleteOwnKeys } from "../own-keys.ts";
import { type NodeAddress, parseRedisUrl, printableAddress } from "../redis-url.ts";
import { field } from "../replication.ts";
import { isAccepted, OLDEST_VERSION } from "../version.ts";
import type { RunningTopology } from "./topology.ts";

const UNKNOWN_VERSION = "unknown";
const CONNECT_TIMEOUT_MS = 5_000;

export interface ExternalOptions {
  /** As given by `--redis`: one server, or the members of a quorum. */
  urls: readonly string[];
  /** Prefix of every key of this run: nothing else is ever touched. */
  keyPrefix: string;
  network?: NodeNetwork | undefined;
  /** Time to connect and log in, ms. */
  connectTimeoutMs?: number;
}

/**
 * Servers that run already and belong to somebody else. They are never flushed, stopped or reconfigured.
 * @throws UsageError for an address that cannot be right
 * @throws UnavailableError for a server that cannot be used, and why; without passwords
 */
export async function connectExternal(options: ExternalOptions): Promise<RunningTopology> {
  const { urls, keyPrefix, network, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options;
  const addresses = urls.map(parseRedisUrl);
  refuseRepeated(addresses);
  const versions = await Promise.all(addresses.map((address) => inspect(address, connectTimeoutMs)));
  const nodes = await Promise.all(
    addresses.map((direct, index) => {
      const version = versions[index] as string;
      // Who may not ask for INFO cannot wait for a server to be ready by it.
      const admin = adminClient({ ...clientOptions(direct), enableReadyCheck: version !== UNKNOWN_VERSION });
      return externalNode({ name: `node:${index + 1}`, version, direct, admin }, network);
    }),
  );
  const removeKeys = () => removeOwnKeys(nodes, keyPrefix);
  let stopped: Promise<void> | undefined;
  return {
    nodes,
    clientNodes: nodes,
    reset: removeKeys,
    unplannedExit: new Promise(() => {}),
    stop() {
      stopped ??= removeKeys().finally(() => {
        for (const { admin } of nodes) admin.disconnect();
      });
      return stopped;
    },
  };
}

/** One server of somebody else, logged in to, for as long as `use` takes. Throws like `connectExternal`. */
export async function withExternalServer<Value>(
  url: string,
  use: (server: { version: string; address: string; client: Redis }) => Promise<Value>,
): Promise<Value> {
  const direct = parseRedisUrl(url);
  const version = await inspect(direct, CONNECT_TIMEOUT_MS);
  const client = adminClient({ ...clientOptions(direct), enableReadyCheck: false });
  try {
    return await use({ version, address: printableAddress(direct), client });
  } finally {
    client.disconnect();
  }
}

/** Options of ioredis for an address. */
export function clientOptions({ host, port, path, tls, tlsServerName, username, password, db }: NodeAddress) {
  return {
    ...(path === undefined ? { host, port } : { path }),
    ...(tls ? { tls: tlsServerName === undefined ? {} : { servername: tlsServerName } } : {}),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    db,
  };
}

function refuseRepeated(addresses: readonly NodeAddress[]): void {
  const places = addresses.map(({ host, port, path }) => path ?? `${host}:${port}`);
  const repeated = places.findIndex((place, index) => places.indexOf(place) !== index);
  if (repeated < 0) return;
  const address = printableAddress(addresses[repeated] as NodeAddress);
  throw new UsageError(`--redis names the server of ${address} twice: the nodes of a lock are independent servers.`, {
    code: "REPEATED_REDIS_URL",
  });
}

/** Logs in, and looks whether the server can be used; gives its version, or UNKNOWN_VERSION where INFO is not allowed. */
async function inspect(address: NodeAddress, timeoutMs: number): Promise<string> {
  const unusable = (why: string) =>
    new UnavailableError(
      `${printableAddress(address)} cannot be used: ${why}${/[.!?]$/.test(why) ? "" : "."} Start or name another with --redis, or leave it out: the run then starts its own.`,
      { code: "EXTERNAL_REDIS" },
    );
  // Without a database: ioredis goes on in database 0 when the one asked for does not exist.
  const client = new Redis({
    ...clientOptions({ ...address, db: 0 }),
    lazyConnect: true,
    enableReadyCheck: false,
    disconnectTimeout: 100,
    retryStrategy: () => null,
  });
  let cause: unknown;
  const timer = setTimeout(() => {
    cause ??= new Error(`no answer within ${timeoutMs / 1000} s`);
    client.disconnect();
  }, timeoutMs);
  client.on("error", (error) => {
    cause ??= error;
  });
  try {
    await client.connect();
    await client.ping();
    await client.select(address.db);
    const info = await client.info().catch((error) => {
      if (/NOPERM/.test(messageOf(error))) return "";
      throw error;
    });
    const reason = whyNot(info);
    if (reason) throw new Error(reason);
    return field(info, "redis_version") ?? UNKNOWN_VERSION;
  } catch (error) {
    throw unusable(explained(messageOf(cause ?? error), address));
  } finally {
    clearTimeout(timer);
    client.disconnect();
  }
}

function whyNot(info: string): string | undefined {
  const version = field(info, "redis_version");
  if (version !== undefined && !isAccepted(version)) {
    return `it is version ${version}; ${OLDEST_VERSION} or later is needed`;
  }
  if (field(info, "cluster_enabled") === "1") return "it is part of a Redis Cluster, which the harness does not cover";
  if (field(info, "role") === "slave") return "it is a replica; name its primary";
  if (field(info, "loading") === "1") return "it is still loading its data; try again later";
  return undefined;
}

/** What to do about it, where that is known. */
function explained(message: string, { tls, db }: NodeAddress): string {
  if (/NOAUTH/.test(message)) return `${message} Add the password: redis://:PASSWORD@... or redis://USER:PASSWORD@...`;
  if (/WRONGPASS/.test(message)) return `${message} Special characters in it must be percent-encoded.`;
  if (/DB index/.test(message)) return `it has no database ${db} (${message})`;
  if (/ECONNREFUSED|ENOENT/.test(message)) return `nothing listens there (${message})`;
  if (/ENOTFOUND|EAI_AGAIN/.test(message)) return `there is no such host (${message})`;
  if (tls && /certificate|self.signed/i.test(message)) {
    return `${message}; give the authority's certificate by NODE_EXTRA_CA_CERTS=FILE`;
  }
  return message;
}

async function removeOwnKeys(nodes: readonly RedisNodeHandle[], prefix: string): Promise<void> {
  await Promise.all(nodes.map(({ admin }) => deleteOwnKeys(admin, prefix)));
}
