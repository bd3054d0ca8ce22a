import type { Scenario } from "../../harness/contracts/scenario.ts";
import { callsOf, overlap, windowsOf } from "./history.ts";
import { firstOf, needsCommandTimeout, needsOwnAcquire, needsRedis } from "./needs.ts";
import { steadyJobs } from "./timing.ts";

export const lateReplyOrphan: Scenario = {
  name: "late-reply-orphan",
  summary: "Replies arrive after 50 ms, under a command timeout of 20 ms: locks are taken that nobody knows of",
  correctLock: "What may have been taken is given back, or gone with its TTL, and every job is executed in the end",
  notApplicable: firstOf(needsOwnAcquire, needsRedis, needsCommandTimeout),
  plan: () => ({
    workers: 2,
    concurrency: 2,
    ttlMs: 600,
    visibilityMs: 200,
    claimIntervalMs: 50,
    commandTimeoutMs: 20,
    load: { jobs: steadyJobs({ everyMs: 200, untilMs: 1_500, forMs: 50 }) },
    faults: "latency(base=50ms, at=100ms, for=900ms)",
    roundMs: 2_000,
  }),
  reach: [
    {
      name: "an acquire was not answered in time",
      reached(round) {
        const calls = callsOf(round, "acquire").filter(({ outcome }) => outcome !== "granted" && outcome !== "refused");
        return windowsOf(round, "latency").some((window) => calls.some((call) => overlap(call, window)));
      },
    },
  ],
};
