import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import type { RedisServer } from "../../redis/server.ts";
import { type FaultDefinition, nowNs } from "../fault.ts";
import { keepNothing, keepOnDisk } from "./on-disk.ts";
import { serversIn } from "./servers-in.ts";
import { whileWritable } from "./while-writable.ts";

const FILLER = "holdfast:filler:";
const FILLER_BYTES = 1_024;
const LEAST_KEYS = 400;
/** The server looks at its clients once for so many bytes that it loads; it cannot be less. */
const LOOK_EVERY_BYTES = "1024";
/** Longer than the fault, so that its healing ends the loading and not the other way round. */
const MARGIN = 2;
const LIMIT_MS = 10_000;

/** A restart with much to load: the server is there and answers -LOADING. Its own switch for tests makes the loading slow. */
export const redisLoading: FaultDefinition = {
  name: "redis-loading",
  aliases: ["loading"],
  group: "redis",
  summary: "The server is restarted and takes long to load its data: it answers -LOADING, and has all keys in the end",
  parameters: {},
  targets: ["node"],
  lasts: true,
  needsOwnServer: true,
  destroysQueue: true,
  look: { colour: "redis", pattern: "hatch" },
  async inject(field, fault) {
    const forMs = fault.forMs ?? 1_000;
    const servers = serversIn(field, fault);
    const keys = Math.max(LEAST_KEYS, Math.ceil(forMs / 20));
    await Promise.all(servers.map((server) => fill(server, keys)));
    await Promise.all(servers.map(keepOnDisk));
    const injectedAtNs = nowNs();
    const slow = { "key-load-delay": String(Math.ceil(((forMs * MARGIN + 2_000) * 1_000) / keys)) };
    const config = { appendonly: "yes", "loading-process-events-interval-bytes": LOOK_EVERY_BYTES, ...slow };
    const restarts = servers.map((server) => server.restart({ config }));
    for (const restart of restarts) restart.catch(() => {});
    const clients = await Promise.all(servers.map(untilLoading));
    return {
      injectedAtNs,
      async heal() {
        await Promise.all(clients.map((client) => client.config("SET", "key-load-delay", "0")));
        await Promise.all(restarts);
        const atNs = nowNs();
        for (const client of clients) client.disconnect();
        await Promise.all(servers.map((server) => empty(server, keys)));
        return atNs;
      },
    };
  },
};

async function fill({ admin }: RedisServer, keys: number): Promise<void> {
  // Random, since a snapshot would compress anything else to nothing.
  const pairs = Array.from({ length: keys }, (_, index) => [`${FILLER}${index}`, randomBytes(FILLER_BYTES)]).flat();
  await whileWritable(admin, () => admin.mset(...pairs));
}

async function empty(server: RedisServer, keys: number): Promise<void> {
  const filler = Array.from({ length: keys }, (_, index) => `${FILLER}${index}`);
  await whileWritable(server.admin, () => server.admin.unlink(...filler));
  await server.admin.config("SET", "loading-process-events-interval-bytes", "2097152");
  await keepNothing(server);
}

/** A client that does not wait for the server to be ready, once that answers -LOADING. */
async function untilLoading({ name, host, port }: RedisServer): Promise<Redis> {
  const client = new Redis({
    host,
    port,
    enableReadyCheck: false,
    retryStrategy: () => 20,
    maxRetriesPerRequest: null,
  });
  client.on("error", () => {});
  const deadline = performance.now() + LIMIT_MS;
  while (performance.now() < deadline) {
    const answer = await client.get(FILLER).catch(String);
    if (answer?.includes("LOADING")) return client;
    await sleep(10);
  }
  client.disconnect();
  throw new Error(`${name} was not seen loading within ${LIMIT_MS} ms`);
}
