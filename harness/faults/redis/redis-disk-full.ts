import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../errors.ts";
import type { RedisServer } from "../../redis/server.ts";
import { type FaultDefinition, nowNs } from "../fault.ts";
import { changedConfig } from "./changed-config.ts";
import { keepNothing, keepOnDisk, replicasLiveOn } from "./on-disk.ts";
import { serversIn } from "./servers-in.ts";
import { whileWritable } from "./while-writable.ts";

const PROBE = "holdfast:disk-full";
const LIMIT_MS = 20_000;

/** The disk is full: the append-only file cannot be written, so the server refuses writes with -MISCONF. */
export const redisDiskFull: FaultDefinition = {
  name: "redis-disk-full",
  aliases: ["disk-full"],
  group: "redis",
  summary: "The server's disk is full: its append-only file cannot grow, and it refuses writes with -MISCONF",
  parameters: {},
  targets: ["node"],
  lasts: true,
  needsOwnServer: true,
  destroysQueue: true,
  needs: "small-disk",
  look: { colour: "redis", pattern: "cross" },
  async inject(field, fault) {
    const servers = serversIn(field, fault);
    await Promise.all(servers.map(keepOnDisk));
    const admins = servers.map(({ admin }) => admin);
    const restore = await changedConfig(admins, replicasLiveOn(servers));
    // The servers of a run share the disk; those that keep nothing on it do not mind.
    const filler = join(servers[0]?.folder ?? "", "..", `filler-${fault.id}`);
    fillDisk(filler);
    await Promise.all(servers.map((server) => whileWritable(server.admin, () => untilWrites(server, false))));
    return {
      injectedAtNs: nowNs(),
      async heal() {
        rmSync(filler, { force: true });
        await Promise.all(servers.map((server) => whileWritable(server.admin, () => untilWrites(server, true))));
        const atNs = nowNs();
        await restore();
        await Promise.all(servers.map(keepNothing));
        return atNs;
      },
    };
  },
};

function fillDisk(path: string): void {
  const file = openSync(path, "w");
  const block = Buffer.alloc(4_096);
  try {
    // To the end of it, which the system tells by an error.
    for (;;) writeSync(file, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(file);
  }
}

/** Writes until writes are accepted, or refused. What fits into the last block of the file is still taken. */
async function untilWrites({ name, admin }: RedisServer, accepted: boolean): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  let last = "";
  while (performance.now() < deadline) {
    last = await admin.set(PROBE, "x".repeat(4_096), "PX", 1_000).catch(messageOf);
    if (accepted ? last === "OK" : last.startsWith("MISCONF")) return;
    await sleep(accepted ? 20 : 1);
  }
  throw new Error(`${name} answers a write with ${last} after ${LIMIT_MS / 1000} s`);
}
