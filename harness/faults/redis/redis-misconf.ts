import { cpSync, renameSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { type FaultDefinition, nowNs } from "../fault.ts";
import { changedConfig } from "./changed-config.ts";
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
    const restore = await changedConfig(admins, { ...wanted, ...replicasLiveOn(servers) });
    const kept = servers.map(({ folder }) => [folder, `${folder}.kept`] as const);
    for (const [folder, copy] of kept) {
      cpSync(folder, copy, { recursive: true });
      // The server stays in the folder that is gone: a new one in its place would not be found.
      rmSync(folder, { recursive: true });
    }
    await Promise.all(admins.map(untilSnapshotFails));
    return {
      injectedAtNs: nowNs(),
      async heal() {
        for (const [folder, copy] of kept) renameSync(copy, folder);
        // Without save points a failed snapshot is no reason to refuse writes.
        await restore();
        return nowNs();
      },
    };
  },
};

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
