import { type FaultDefinition, nowNs, targetsIn } from "../fault.ts";

/** SCRIPT FLUSH: EVALSHA answers NOSCRIPT until the client sends the script again, as after a restart. */
export const redisScriptFlush: FaultDefinition = {
  name: "redis-script-flush",
  aliases: ["script-flush"],
  group: "redis",
  summary: "SCRIPT FLUSH: the server forgets every script, and EVALSHA answers NOSCRIPT",
  parameters: {},
  targets: ["node"],
  lasts: false,
  needsOwnServer: true,
  look: { colour: "redis", pattern: "dots" },
  async inject({ nodes }, fault) {
    const injectedAtNs = nowNs();
    await Promise.all(targetsIn(nodes, fault).map(({ admin }) => admin.script("FLUSH")));
    return { injectedAtNs };
  },
};
