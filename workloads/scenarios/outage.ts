import type { Scenario } from "../../harness/contracts/scenario.ts";
import { lengthMs, windowsOf } from "./history.ts";
import { somebodyHeld } from "./reach.ts";
import { steadyJobs } from "./timing.ts";

export const outage: Scenario = {
  name: "outage",
  summary: "Redis is gone for 20 s, and comes back without its keys",
  correctLock: "Nothing hangs, and jobs flow again within a second after Redis is back",
  plan: () => ({
    workers: 2,
    concurrency: 16,
    ttlMs: 2_000,
    visibilityMs: 1_000,
    load: { jobs: steadyJobs({ everyMs: 900, untilMs: 22_000, forMs: 100 }) },
    faults: "redis-kill(at=1.5s, for=20s)",
    roundMs: 22_500,
  }),
  reach: [
    somebodyHeld,
    {
      name: "Redis was gone for 20 s",
      reached: (round) => windowsOf(round, "redis-kill").some((window) => lengthMs(window) > 19_500),
    },
  ],
  weight: 0.3,
};
