import { type FaultDefinition, nowNs, targetsIn } from "../fault.ts";
import { changedConfig } from "./changed-config.ts";

/** Too little memory with `noeviction`: commands that may need memory are refused with -OOM. */
export const redisOom: FaultDefinition = {
  name: "redis-oom",
  group: "redis",
  summary: "Too little memory and nothing to evict: writes are refused with -OOM",
  parameters: {},
  targets: ["node"],
  lasts: true,
  needsOwnServer: true,
  destroysQueue: true,
  look: { colour: "redis", pattern: "cross" },
  async inject({ nodes }, fault) {
    const admins = targetsIn(nodes, fault).map(({ admin }) => admin);
    const restore = await changedConfig(admins, { "maxmemory-policy": "noeviction", maxmemory: "1" });
    return { injectedAtNs: nowNs(), heal: () => restore().then(nowNs) };
  },
};
