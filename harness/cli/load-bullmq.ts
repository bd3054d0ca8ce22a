import { loadPackage } from "../../workloads/load-package.ts";
import { bullmqPackage } from "../../workloads/queues/bullmq-package.ts";
import type { Bullmq } from "../agents/bullmq.ts";
import { agentsUnavailable } from "../agents/campaign.ts";
import { messageOf, UnavailableError } from "../errors.ts";
import { adminClient } from "../redis/admin-client.ts";
import { parseRedisUrl, printableAddress } from "../redis/redis-url.ts";
import { clientOptions } from "../redis/topologies/external.ts";

export interface AgentsQueue {
  bullmq: Bullmq;
  /** Options of ioredis. */
  connection: object;
  /** Without its password. */
  address: string;
}

/**
 * BullMQ, and the Redis that its queue is on, tried once.
 * @throws UnavailableError when the package is not installed or the server does not answer
 */
export async function openAgentsQueue(url: string): Promise<AgentsQueue> {
  const address = parseRedisUrl(url);
  const options = clientOptions(address);
  const bullmq = load();
  await tryServer(options, printableAddress(address));
  return { bullmq, connection: { ...options, maxRetriesPerRequest: null }, address: printableAddress(address) };
}

function load(): Bullmq {
  try {
    return loadPackage<Bullmq>(bullmqPackage);
  } catch (error) {
    throw new UnavailableError(`Agents share out their work by BullMQ, and ${messageOf(error)}`, {
      code: "MISSING_PACKAGE",
      cause: error,
    });
  }
}

async function tryServer(options: ReturnType<typeof clientOptions>, address: string): Promise<void> {
  const client = adminClient({ ...options, lazyConnect: true, retryStrategy: () => null });
  // What connect() rejects with says only that there is no connection.
  let cause: unknown;
  client.on("error", (error) => {
    cause ??= error;
  });
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    throw agentsUnavailable(address, cause ?? error);
  } finally {
    client.disconnect();
  }
}
