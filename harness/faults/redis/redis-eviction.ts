import { type FaultDefinition, nowNs, targetsIn } from "../fault.ts";
import { changedConfig } from "./changed-config.ts";

/** Too little memory with a `volatile-*` policy: keys with a TTL are evicted, and locks are keys with a TTL. */
export const redisEviction: FaultDefinition = {
  name: "redis-eviction",
  aliases: ["eviction"],
  group: "redis",
  summary: "Too little memory: keys with a TTL are evicted, and locks are such keys",
  parameters: {
    policy: {
      type: "enum",
      values: ["volatile-lru", "volatile-lfu", "volatile-random", "volatile-ttl", "allkeys-lru", "allkeys-random"],
      default: "volatile-ttl",
      summary: "The server's maxmemory-policy",
    },
  },
  targets: ["node"],
  lasts: true,
  needsOwnServer: true,
  destroysQueue: true,
  look: { colour: "redis", pattern: "cross" },
  async inject({ nodes }, fault) {
    const admins = targetsIn(nodes, fault).map(({ admin }) => admin);
    const policy = String(fault.parameters.policy ?? "volatile-ttl");
    // The policy first: with the policy of before, the limit alone would already refuse writes.
    const restore = await changedConfig(admins, { "maxmemory-policy": policy, maxmemory: "1" });
    // A write makes the server look at its memory; it is refused when nothing is left to evict, which is no matter here.
    await Promise.all(admins.map((admin) => admin.set("holdfast:eviction", "1", "PX", 1).catch(() => {})));
    return { injectedAtNs: nowNs(), heal: () => restore().then(nowNs) };
  },
};
