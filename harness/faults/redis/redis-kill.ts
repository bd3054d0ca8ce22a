import { type FaultDefinition, nowNs } from "../fault.ts";
import { keepOnDisk, restartFromDisk } from "./on-disk.ts";
import { serversIn } from "./servers-in.ts";

/** Kills a server. Without persistence its keys are gone when it comes back; with it, what had reached the disk is there. */
export const redisKill: FaultDefinition = {
  name: "redis-kill",
  aliases: ["amnesia"],
  group: "redis",
  summary: "The server is killed (SIGKILL), stays away, and comes back, empty unless it kept its data",
  parameters: {
    emptied: { type: "enum", values: ["yes", "no"], default: "yes", summary: "Does it come back without its data?" },
  },
  targets: ["node"],
  lasts: true,
  needsOwnServer: true,
  destroysQueue: true,
  look: { colour: "redis", pattern: "solid" },
  async inject(field, fault) {
    const servers = serversIn(field, fault);
    const keeps = fault.parameters.emptied === "no";
    // What reached the kernel survives the death of the process: redis.io, "Redis persistence".
    if (keeps) await Promise.all(servers.map(keepOnDisk));
    const injectedAtNs = nowNs();
    await Promise.all(servers.map((server) => server.kill()));
    return {
      injectedAtNs,
      async heal() {
        await Promise.all(
          servers.map((server) => (keeps ? restartFromDisk(server) : server.restart({ emptied: true }))),
        );
        return nowNs();
      },
    };
  },
};
