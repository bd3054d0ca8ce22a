import { type FaultDefinition, nowNs, targetsIn } from "../fault.ts";
import { changedConfig } from "./changed-config.ts";

/** Fewer connections than there are clients: new ones are turned away with an error. Open ones stay. */
export const redisMaxclients: FaultDefinition = {
  name: "redis-maxclients",
  aliases: ["maxclients"],
  group: "redis",
  summary: "The server accepts no more connections than this: new ones are turned away with an error",
  parameters: {
    clients: { type: "integer", summary: "The limit; open connections beyond it stay", default: "1", min: 1 },
  },
  targets: ["node"],
  lasts: true,
  needsOwnServer: true,
  look: { colour: "redis", pattern: "dots" },
  async inject({ nodes }, fault) {
    const admins = targetsIn(nodes, fault).map(({ admin }) => admin);
    const restore = await changedConfig(admins, { maxclients: String(fault.parameters.clients ?? 1) });
    return { injectedAtNs: nowNs(), heal: () => restore().then(nowNs) };
  },
};
