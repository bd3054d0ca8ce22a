import type { Redis } from "ioredis";
import type { LockContext, PhysicalKey } from "../../../harness/contracts/lock-adapter.ts";
import { connectNode } from "../ioredis-client.ts";
import { createNodeLog, type NodeLog } from "./node-log.ts";

/** The nodes of a library that works with ioredis: its clients with ioredis's defaults, each one watched. */
export interface IoredisNodes {
  clients: Redis[];
  log: NodeLog;
  /** The key under which a lock's name is given to the library. */
  keyOf(key: string): string;
  /** The same physical key on every node. */
  everywhere(physical: string): PhysicalKey[];
  close(): Promise<void>;
}

export function connectIoredisNodes(context: LockContext, lock: string): IoredisNodes {
  if (context.nodes.length === 0) throw new Error(`${lock} needs at least one node, and was given none`);
  const log = createNodeLog();
  const clients = context.nodes.map((node, index) => {
    const client = connectNode(node, context);
    log.watch(index + 1, client, "sendCommand");
    return client;
  });
  return {
    clients,
    log,
    keyOf: (key) => `${context.keyPrefix}lock:${key}`,
    everywhere: (physical) => context.nodes.map(({ db }, index) => ({ node: index + 1, db, key: physical })),
    async close() {
      for (const client of clients) client.disconnect();
    },
  };
}
