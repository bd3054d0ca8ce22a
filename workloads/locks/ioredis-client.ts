import { Redis, type RedisOptions } from "ioredis";
import type { LockContext, LockNode } from "../../harness/contracts/lock-adapter.ts";
import { tlsOptions } from "../tls-options.ts";
import { batchWrites } from "./batched-writes.ts";

/**
 * A client with ioredis's defaults (resends after a reconnect, no time limit for a command), except for what the
 * context sets. Errors of the connection reach the caller through its commands.
 */
export function connectNode(
  node: LockNode,
  { commandTimeoutMs, batchCommands = false }: Pick<LockContext, "commandTimeoutMs" | "batchCommands">,
  options: Omit<RedisOptions, "replyMapping"> = {},
): Redis {
  const client = new Redis({
    ...placeOf(node),
    db: node.db,
    ...(node.username === undefined ? {} : { username: node.username }),
    ...(node.password === undefined ? {} : { password: node.password }),
    ...tlsOptions(node),
    ...(commandTimeoutMs === undefined ? {} : { commandTimeout: commandTimeoutMs }),
    ...options,
  });
  if (batchCommands) batchWrites(client);
  client.on("error", () => {});
  return client;
}

/** Where it connects to: a server, or the primary that sentinels name. */
function placeOf({ host, port, sentinel }: LockNode): Pick<RedisOptions, "host" | "port" | "sentinels" | "name"> {
  if (!sentinel) return { host, port };
  return { sentinels: sentinel.sentinels.map((each) => ({ ...each })), name: sentinel.primaryName };
}
