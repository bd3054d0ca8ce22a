import type { Scenario } from "../../harness/contracts/scenario.ts";
import { ACQUIRE } from "./commands.ts";
import { callsOf, holdsOf, windowsOf } from "./history.ts";
import { firstOf, needsOwnAcquire, needsRedis } from "./needs.ts";
import { jobsOfOneKey, quick, worker1First } from "./timing.ts";

export const killBetween: Scenario = {
  name: "kill-between",
  summary: "A worker is killed when the first command of its acquire has been applied, and before its reply",
  correctLock: "The key is gone with its TTL, and every job is executed",
  notApplicable: firstOf(needsOwnAcquire, needsRedis),
  plan: () => ({
    ...quick,
    workers: 2,
    ttlMs: 800,
    load: {
      jobs: jobsOfOneKey([
        { atMs: 200, forMs: 100 },
        { atMs: 200, forMs: 100 },
      ]),
    },
    faults: [
      worker1First(1),
      `pause-between(command='${ACQUIRE}', target=client:1, for=700ms)`,
      "worker-kill(target=worker:1, at=500ms)",
    ].join(", "),
    roundMs: 1_500,
  }),
  reach: [
    {
      name: "a worker was killed while it waited for the answer to an acquire that took the key",
      reached(round) {
        const calls = callsOf(round, "acquire").filter(({ worker, outcome }) => worker === 1 && outcome === undefined);
        const others = holdsOf(round).filter(({ worker }) => worker !== 1);
        return windowsOf(round, "worker-kill").some((kill) =>
          calls.some(({ startNs }) => startNs < kill.startNs && !others.some((hold) => hold.startNs < kill.startNs)),
        );
      },
    },
  ],
};
