import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findRedis } from "../../harness/redis/find.ts";
import type { RedisInstallation } from "../../harness/redis/installation.ts";
import { type RedisServer, startRedisServer } from "../../harness/redis/server.ts";
import { type Supervisor, startSupervisor } from "../../harness/supervisor/parent.ts";

/** Supervisors end what bears the name of their run, and must not end each other's. */
let servers = 0;

/** Runs `use` with a Redis server of its own, started as a run starts its servers, which is gone afterwards. */
export async function withRedis<Value>(
  use: (server: RedisServer, redis: RedisInstallation, supervisor: Supervisor) => Promise<Value>,
): Promise<Value> {
  servers += 1;
  const supervisor = await startSupervisor({ runId: `bench-${process.pid}-${servers}` });
  try {
    const folder = mkdtempSync(join(tmpdir(), "holdfast-bench-"));
    supervisor.ownFolder(folder);
    const redis = await findRedis({ supervisor, onProgress: (line) => console.error(line) });
    const server = await startRedisServer({ redis, supervisor, folder, name: "bench" });
    try {
      return await use(server, redis, supervisor);
    } finally {
      // Its client would look for a server that was only killed, for ever.
      await server.stop();
    }
  } finally {
    await supervisor.close();
  }
}
