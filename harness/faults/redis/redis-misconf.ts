import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import type { RedisServer } from "../../redis/server.ts";
import { type FaultDefinition, nowNs } from "../fault.ts";
import { changedConfig, directiveOf } from "./changed-config.ts";
import { replicasLiveOn } from "./on-disk.ts";
import { serversIn } from "./servers-in.ts";

const LIMIT_MS = 10_000;

/** A snapshot cannot be written, so the server refuses writes with -MISCONF (stop-writes-on-bgsave-error). */
export const redisMisconf: FaultDefinition = {
  name: "redis-misconf",
  aliases: ["misconf"],
  group: "redis",
  summary: "A snapshot cannot be written to disk, and the server refuses writes with -MISCONF",
  parameters: {},
  targets: ["node"],
  lasts: true,
  needsOwnServer: true,
  destroysQueue: true,
  look: { colour: "redis", pattern: "cross" },
  async inject(field, fault) {
    const servers = serversIn(field, fault);
    const admins = servers.map(({ admin }) => admin);
    const wanted = { "stop-writes-on-bgsave-error": "yes", save: "3600 1" };
    // Set first and set back last: a replica that refuses a write of its primary in between ends itself.
    const restore = await changedConfig(admins, { ...replicasLiveOn(servers), ...wanted });
    const blocked = await Promise.all(servers.map(blockSnapshots));
    await Promise.all(admins.map(untilSnapshotFails));
    return {
      injectedAtNs: nowNs(),
      async heal() {
        for (const { unblock } of blocked) unblock();
        // Without save points a failed snapshot is no reason to refuse writes.
        await restore();
        return nowNs();
      },
    };
  },
};

/**
 * Puts a folder where the server's snapshot belongs: it is written beside it, and cannot take its place. A folder of the
 * server that is gone would do as well, but the server would never find it again, and as a replica never be in step.
 */
async function blockSnapshots({ admin, folder }: RedisServer): Promise<{ unblock(): void }> {
  const snapshot = join(folder, await directiveOf(admin, "dbfilename"));
  const kept = `${snapshot}.kept`;
  if (existsSync(snapshot)) renameSync(snapshot, kept);
  mkdirSync(join(snapshot, "in-the-way"), { recursive: true });
  return {
    unblock() {
      rmSync(snapshot, { recursive: true, force: true });
      if (existsSync(kept)) renameSync(kept, snapshot);
    },
  };
}

/** Asks for snapshots until one has failed. */
async function untilSnapshotFails(admin: Redis): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (performance.now() < deadline) {
    await admin.bgsave().catch(() => {});
    await sleep(50);
    const info = await admin.info("persistence");
    if (info.includes("rdb_last_bgsave_status:err")) return;
  }
  throw new Error(`no snapshot failed within ${LIMIT_MS} ms`);
}
