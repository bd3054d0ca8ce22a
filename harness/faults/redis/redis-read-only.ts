import { type FaultDefinition, nowNs, targetsIn } from "../fault.ts";

/** Nothing listens on the discard port (RFC 863): a server told to replicate from it turns read-only and never syncs. */
const NOWHERE = ["127.0.0.1", "9"] as const;

/** Makes a server the replica of nobody: writes are refused with -READONLY, as after a failover that a client missed. */
export const redisReadOnly: FaultDefinition = {
  name: "redis-read-only",
  aliases: ["read-only"],
  group: "redis",
  summary: "The server takes itself for a replica: it answers reads and refuses writes with -READONLY",
  parameters: {},
  targets: ["node"],
  lasts: true,
  needsOwnServer: true,
  destroysQueue: true,
  look: { colour: "redis", pattern: "dots" },
  async inject({ nodes }, fault) {
    const admins = targetsIn(nodes, fault).map(({ admin }) => admin);
    await Promise.all(admins.map((admin) => admin.replicaof(...NOWHERE)));
    const injectedAtNs = nowNs();
    return {
      injectedAtNs,
      async heal() {
        await Promise.all(admins.map((admin) => admin.call("REPLICAOF", "NO", "ONE")));
        return nowNs();
      },
    };
  },
};
