import { type FaultDefinition, nowNs, targetsIn } from "../fault.ts";

/** Keeps the server busy for the given time, by its own clock. Writes nothing. */
const BUSY_LOOP = `
local function now() local t = redis.call("TIME"); return t[1] * 1000 + t[2] / 1000 end
local untilMs = now() + tonumber(ARGV[1])
while now() < untilMs do end
return 1`;

/** Slow commands of somebody else: a script that takes some milliseconds, again and again, and everyone waits behind it. */
export const redisSlow: FaultDefinition = {
  name: "redis-slow",
  group: "redis",
  summary: "Slow commands of somebody else, again and again: everyone waits behind each",
  parameters: {
    takes: { type: "duration", summary: "How long each such command takes", default: "20ms", min: 0.1, max: 4_000 },
    every: { type: "duration", summary: "Pause between two of them", default: "20ms", min: 0 },
  },
  targets: ["node"],
  lasts: true,
  needsOwnServer: true,
  look: { colour: "redis", pattern: "dots" },
  async inject({ nodes }, fault) {
    const admins = targetsIn(nodes, fault).map(({ admin }) => admin);
    const takesMs = Number(fault.parameters.takes ?? 20);
    const everyMs = Number(fault.parameters.every ?? 20);
    let healed = false;
    const injectedAtNs = nowNs();
    const loops = admins.map(async (admin) => {
      while (!healed) {
        await admin.eval(BUSY_LOOP, 0, takesMs);
        await new Promise((resolve) => setTimeout(resolve, everyMs));
      }
    });
    for (const loop of loops) loop.catch(() => {});
    return {
      injectedAtNs,
      async heal() {
        healed = true;
        await Promise.all(loops);
        return nowNs();
      },
    };
  },
};
