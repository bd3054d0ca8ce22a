import { setTimeout as sleep } from "node:timers/promises";
import { field } from "../../redis/replication.ts";
import type { RedisServer } from "../../redis/server.ts";
import { atLeast } from "../../redis/version.ts";

const LIMIT_MS = 20_000;

/** Has a server keep its keys in an append-only file from now on; resolves once those that are there are in it. */
export async function keepOnDisk({ name, admin }: RedisServer): Promise<void> {
  await admin.config("SET", "appendonly", "yes");
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const info = await admin.info("persistence");
    const pending = ["aof_rewrite_in_progress", "aof_rewrite_scheduled"].some((name_) => field(info, name_) === "1");
    if (field(info, "aof_enabled") === "1" && !pending) return;
    if (performance.now() > deadline) throw new Error(`${name} did not write its keys to disk within ${LIMIT_MS} ms`);
    await sleep(10);
  }
}

/** Starts a killed server with what it kept on disk. */
export async function restartFromDisk(server: RedisServer): Promise<void> {
  await server.restart({ config: { appendonly: "yes" } });
  await keepNothing(server);
}

/** Has a server keep nothing on disk any more, as servers of a run do. */
export async function keepNothing({ admin }: RedisServer): Promise<void> {
  await admin.config("SET", "appendonly", "no");
  await admin.config("REWRITE");
}

/** Since Redis 7.0 a replica that may not write what its primary sends ends itself, unless it is told to go on. */
export function replicasLiveOn(servers: readonly RedisServer[]): Record<string, string> {
  const know = servers.every(({ version }) => atLeast(version, "7.0.0"));
  return know ? { "replica-ignore-disk-write-errors": "yes" } : {};
}
