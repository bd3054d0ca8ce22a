import { type FaultDefinition, nowNs, targetsIn } from "../fault.ts";
import { changedConfig } from "./changed-config.ts";

/** A script that never ends and writes nothing, so that SCRIPT KILL can end it. */
const ENDLESS = "while true do end";
/** From here on the server answers -BUSY instead of nothing, ms. */
const BUSY_AFTER_MS = "1";

/** A script beyond the limit: the server answers every command with -BUSY until it is killed. */
export const redisBusy: FaultDefinition = {
  name: "redis-busy",
  aliases: ["busy"],
  group: "redis",
  summary: "A script that does not end: the server answers every command with -BUSY",
  parameters: {},
  targets: ["node"],
  lasts: true,
  needsOwnServer: true,
  destroysQueue: true,
  look: { colour: "redis", pattern: "hatch" },
  async inject({ nodes }, fault) {
    const admins = targetsIn(nodes, fault).map(({ admin }) => admin);
    const restore = await changedConfig(admins, { "lua-time-limit": BUSY_AFTER_MS });
    const runners = admins.map((admin) => admin.duplicate());
    for (const runner of runners) {
      runner.on("error", () => {});
      runner.eval(ENDLESS, 0).catch(() => {});
    }
    await Promise.all(admins.map(untilBusy));
    return {
      injectedAtNs: nowNs(),
      async heal() {
        await Promise.all(admins.map((admin) => admin.script("KILL")));
        const atNs = nowNs();
        for (const runner of runners) runner.disconnect();
        await Promise.all(admins.map(untilFree));
        await restore();
        return atNs;
      },
    };
  },
};

const untilBusy = (admin: Pinged) => untilIsBusy(admin, true);
/** The killed script ends at its next look, a moment after the reply to SCRIPT KILL. */
const untilFree = (admin: Pinged) => untilIsBusy(admin, false);

interface Pinged {
  ping(): Promise<string>;
}

async function untilIsBusy(admin: Pinged, wanted: boolean): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    if ((await isBusy(admin)) === wanted) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(wanted ? "the server did not become busy" : "the server is still busy after SCRIPT KILL");
}

async function isBusy(admin: Pinged): Promise<boolean> {
  try {
    await admin.ping();
    return false;
  } catch (error) {
    if (String(error).includes("BUSY")) return true;
    throw error;
  }
}
