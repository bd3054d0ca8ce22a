import type { Scenario } from "../../harness/contracts/scenario.ts";
import { needsQueue } from "./needs.ts";
import { faultWithinHold } from "./reach.ts";
import { steadyJobs } from "./timing.ts";

function bullmq(name: string, summary: string, faultName: string, fault: string): Scenario {
  return {
    name,
    summary,
    correctLock: "Every job has its effect once, and none after its lock was lost",
    notApplicable: needsQueue("bullmq"),
    plan: () => ({
      workers: 2,
      concurrency: 4,
      ttlMs: 1_000,
      visibilityMs: 1_000,
      queue: { name: "bullmq", options: { lockDurationMs: 1_000, stalledIntervalMs: 500 } },
      queueOn: "lock",
      load: { jobs: steadyJobs({ everyMs: 150, untilMs: 3_000, forMs: 600 }) },
      faults: fault,
      roundMs: 5_000,
    }),
    reach: [faultWithinHold(faultName)],
  };
}

export const bullmqScenarios: readonly Scenario[] = [
  bullmq(
    "bullmq-stall",
    "A worker is stopped for 3 s in the middle of a job of 600 ms, under a lock of 1 s",
    "worker-stop",
    "worker-stop(on=grant, nth=3, target=worker:1, for=3s)",
  ),
  bullmq(
    "bullmq-blocked",
    "A worker's event loop is blocked for 2.5 s in the middle of a job of 600 ms, under a lock of 1 s",
    "worker-block",
    "worker-block(on=grant, nth=3, target=worker:1, for=2.5s)",
  ),
];
