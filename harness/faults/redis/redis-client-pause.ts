import { type FaultDefinition, nowNs, targetsIn } from "../fault.ts";

/**
 * CLIENT PAUSE ALL also holds every probe and CLIENT UNPAUSE, so only in slices can it be healed early; what waits gets
 * through between two of them. For a server that answers nobody at all there is redis-pause. Source: redis.io, CLIENT PAUSE.
 */
const SLICE_MS = 250;
/** The next slice is asked for before the last has ended. */
const OVERLAP_MS = 50;

export const redisClientPause: FaultDefinition = {
  name: "redis-client-pause",
  group: "redis",
  summary:
    "CLIENT PAUSE: the server does not serve writes, or serves nothing but for a moment every 250 ms; TTLs run on",
  parameters: {
    mode: {
      type: "enum",
      values: ["all", "write"],
      default: "write",
      summary: "write: GET is still answered, SET waits",
    },
  },
  targets: ["node"],
  lasts: true,
  needsOwnServer: true,
  look: { colour: "redis", pattern: "cross" },
  async inject({ nodes }, fault) {
    const clients = targetsIn(nodes, fault).map(({ admin }) => admin.duplicate());
    for (const client of clients) client.on("error", () => {});
    const { forMs = 0 } = fault;
    const writesOnly = fault.parameters.mode === "write";
    let timer: NodeJS.Timeout | undefined;
    const pause = async (ms: number) => {
      await Promise.all(clients.map((client) => client.call("CLIENT", "PAUSE", ms, writesOnly ? "WRITE" : "ALL")));
    };
    await pause(writesOnly ? forMs + SLICE_MS : SLICE_MS);
    const injectedAtNs = nowNs();
    if (!writesOnly) timer = setInterval(() => void pause(SLICE_MS).catch(() => {}), SLICE_MS - OVERLAP_MS);
    return {
      injectedAtNs,
      async heal() {
        clearInterval(timer);
        await Promise.all(clients.map((client) => client.call("CLIENT", "UNPAUSE")));
        const atNs = nowNs();
        for (const client of clients) client.disconnect();
        return atNs;
      },
    };
  },
};
