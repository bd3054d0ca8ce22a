import { type FaultDefinition, nowNs } from "../fault.ts";
import { keepOnDisk, restartFromDisk } from "./on-disk.ts";
import { serversIn } from "./servers-in.ts";

/** Kills a server and starts it again at once: its keys are gone, and nobody notices but the clients whose locks they were. */
export const redisRestart: FaultDefinition = {
  name: "redis-restart",
  group: "redis",
  summary: "The server is killed and comes back at once, empty unless it kept its data",
  parameters: {
    emptied: { type: "enum", values: ["yes", "no"], default: "yes", summary: "Does it come back without its data?" },
  },
  targets: ["node"],
  lasts: false,
  needsOwnServer: true,
  destroysQueue: true,
  look: { colour: "redis", pattern: "solid" },
  async inject(field, fault) {
    const servers = serversIn(field, fault);
    const keeps = fault.parameters.emptied === "no";
    if (keeps) await Promise.all(servers.map(keepOnDisk));
    const injectedAtNs = nowNs();
    await Promise.all(servers.map((server) => (keeps ? restartFromDisk(server) : server.restart({ emptied: true }))));
    return { injectedAtNs };
  },
};
