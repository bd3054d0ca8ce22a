import { type FaultDefinition, nowNs, targetsIn } from "../fault.ts";

/** Stops the server process. Clients wait, TTLs keep running, and expired keys are gone when it goes on. */
export const redisPause: FaultDefinition = {
  name: "redis-pause",
  group: "redis",
  summary: "The server process is stopped (SIGSTOP) and goes on later; TTLs keep running meanwhile",
  parameters: {},
  targets: ["node"],
  lasts: true,
  needsOwnServer: true,
  look: { colour: "redis", pattern: "hatch" },
  async inject({ nodes }, fault) {
    const stopped = targetsIn(nodes, fault);
    await Promise.all(stopped.map((node) => node.pause()));
    return {
      injectedAtNs: nowNs(),
      async heal() {
        const atNs = nowNs();
        await Promise.all(stopped.map((node) => node.resume()));
        return atNs;
      },
    };
  },
};
