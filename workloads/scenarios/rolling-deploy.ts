import type { Scenario } from "../../harness/contracts/scenario.ts";
import { windowsOf } from "./history.ts";
import { faultWithinHold } from "./reach.ts";
import { steadyJobs } from "./timing.ts";

export const rollingDeploy: Scenario = {
  name: "rolling-deploy",
  summary: "One worker after the other gets SIGTERM, with 3 s of grace, in the middle of its jobs",
  correctLock: "Running jobs end and release, the others take over, and every job has its effect once",
  plan: () => ({
    workers: 3,
    concurrency: 2,
    ttlMs: 2_000,
    visibilityMs: 1_500,
    load: { jobs: steadyJobs({ everyMs: 100, untilMs: 3_200, forMs: 400 }) },
    faults: [1, 2, 3]
      .map((worker) => `worker-terminate(target=worker:${worker}, at=${worker * 900 - 100}ms, grace=3s)`)
      .join(", "),
    roundMs: 3_600,
  }),
  reach: [
    faultWithinHold("worker-terminate"),
    { name: "three workers were replaced", reached: (round) => windowsOf(round, "worker-terminate").length === 3 },
  ],
  weight: 1.5,
};
