import { type FaultDefinition, nowNs, targetsIn } from "../fault.ts";
import { whileWritable } from "./while-writable.ts";

/**
 * FLUSHALL, as of somebody who took this server for another. A primary passes it on to its replicas; a replica is made to
 * take it for itself, and differs from its primary from then on.
 */
export const redisFlush: FaultDefinition = {
  name: "redis-flush",
  aliases: ["flush"],
  group: "redis",
  summary: "FLUSHALL: every key is gone, locks included",
  parameters: {},
  targets: ["node"],
  lasts: false,
  needsOwnServer: true,
  destroysQueue: true,
  look: { colour: "redis", pattern: "solid" },
  async inject({ nodes }, fault) {
    const injectedAtNs = nowNs();
    await Promise.all(targetsIn(nodes, fault).map(({ admin }) => whileWritable(admin, () => admin.flushall())));
    return { injectedAtNs };
  },
};
