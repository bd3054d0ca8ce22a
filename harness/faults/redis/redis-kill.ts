import { type FaultDefinition, nowNs } from "../fault.ts";
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
    const injectedAtNs = nowNs();
    await Promise.all(servers.map((server) => server.kill()));
    return {
      injectedAtNs,
      async heal() {
        await Promise.all(servers.map((server) => server.restart({ emptied: fault.parameters.emptied !== "no" })));
        return nowNs();
      },
    };
  },
};
