import type { Scenario } from "../../harness/contracts/scenario.ts";
import { MINT } from "./commands.ts";
import { callsOf, overlap, windowsOf } from "./history.ts";
import { firstOf, needsFencing, needsOwnAcquire, needsRedis } from "./needs.ts";
import { jobsOfOneKey, quick, worker1First } from "./timing.ts";

const TTL_MS = 1_000;

export const delayedFence: Scenario = {
  name: "delayed-fence",
  summary: "The command that mints a fencing token is held up until another holds the key",
  correctLock: "Fencing tokens follow the order in which the key changed hands, and the owner's write is not refused",
  notApplicable: firstOf(needsOwnAcquire, needsRedis, needsFencing),
  plan: () => ({
    ...quick,
    workers: 2,
    ttlMs: TTL_MS,
    load: {
      jobs: jobsOfOneKey([
        { atMs: 100, forMs: 700 },
        { atMs: 100, forMs: 700 },
      ]),
    },
    faults: `${worker1First(1)}, delay-request(command='${MINT}', nth=1, delay=1.4s, target=client:1, for=2s)`,
    roundMs: 3_000,
  }),
  reach: [
    {
      name: "an acquire took longer than its lease",
      reached(round) {
        const calls = callsOf(round, "acquire").filter(({ startNs, endNs }) => endNs - startNs > TTL_MS * 1e6);
        return windowsOf(round, "delay-request").some((window) => calls.some((call) => overlap(call, window)));
      },
    },
  ],
};
