import { readdirSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RedisServer } from "../../redis/server.ts";
import { type FaultDefinition, nowNs } from "../fault.ts";
import { keepOnDisk, restartFromDisk } from "./on-disk.ts";
import { serversIn } from "./servers-in.ts";

/**
 * The power fails. With an append-only file that is synced every second, a kill of the process loses nothing, since the
 * kernel has the bytes; so the file is cut where it was before the last writes, at the end of a command.
 */
export const redisPowerLoss: FaultDefinition = {
  name: "redis-power-loss",
  aliases: ["power-loss"],
  group: "redis",
  summary:
    "The power fails: the server keeps its keys on disk, but for those of the last moments, and comes back later",
  parameters: {
    loses: {
      type: "duration",
      summary: "What was written in this time before the power failed is lost; it passes before the server dies",
      default: "1s",
      min: 0,
    },
  },
  targets: ["node"],
  lasts: true,
  needsOwnServer: true,
  destroysQueue: true,
  look: { colour: "redis", pattern: "solid" },
  async inject(field, fault) {
    const servers = serversIn(field, fault);
    await Promise.all(servers.map(keepOnDisk));
    const injectedAtNs = nowNs();
    const synced = servers.map((server) => lengthOnDisk(server));
    await sleep(Number(fault.parameters.loses ?? 1_000));
    await Promise.all(servers.map((server) => server.kill()));
    for (const { path, bytes } of synced) truncateSync(path, bytes);
    return {
      injectedAtNs,
      async heal() {
        await Promise.all(servers.map(restartFromDisk));
        return nowNs();
      },
    };
  },
};

/** How far the newest append-only file goes. Redis writes it in whole commands, before it answers them. */
function lengthOnDisk({ name, folder }: RedisServer): { path: string; bytes: number } {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /(\.incr\.aof|^appendonly\.aof)$/.test(file))
    .map((file) => {
      const path = join(folder, file);
      const { size, mtimeMs } = statSync(path);
      return { path, bytes: size, mtimeMs };
    });
  const newest = files.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? 1 : -1))[0];
  if (!newest) throw new Error(`${name} has no append-only file in ${folder}`);
  return newest;
}
