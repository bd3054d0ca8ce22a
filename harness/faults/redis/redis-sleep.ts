import { type FaultDefinition, nowNs, targetsIn } from "../fault.ts";

/** DEBUG SLEEP: one command that takes long, and every client waits behind it. It cannot be ended early. */
export const redisSleep: FaultDefinition = {
  name: "redis-sleep",
  group: "redis",
  summary: "DEBUG SLEEP: the server is busy with one long command, and every client waits behind it",
  parameters: {},
  targets: ["node"],
  lasts: true,
  needsOwnServer: true,
  look: { colour: "redis", pattern: "hatch" },
  async inject({ nodes }, fault) {
    const { forMs } = fault;
    if (forMs === undefined) throw new Error("redis-sleep needs a duration: for=2s");
    const injectedAtNs = nowNs();
    const sleeps = Promise.all(targetsIn(nodes, fault).map(({ admin }) => admin.call("DEBUG", "SLEEP", forMs / 1000)));
    // Heard of at the healing; until then nobody else listens.
    sleeps.catch(() => {});
    return {
      injectedAtNs,
      async heal() {
        await sleeps;
        return nowNs();
      },
    };
  },
};
