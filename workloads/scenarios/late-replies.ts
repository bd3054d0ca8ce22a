import type { Scenario } from "../../harness/contracts/scenario.ts";
import { firstOf, needsOwnAcquire, needsRedis } from "./needs.ts";
import { faultDuringAcquire } from "./reach.ts";

export const lateReplies: Scenario = {
  name: "late-replies",
  summary: "Every reply arrives 400 ms late, under a TTL of 300 ms",
  correctLock: "Nobody is granted a lock whose time is over already; every job is executed once replies are in time",
  notApplicable: firstOf(needsOwnAcquire, needsRedis),
  plan: () => ({
    workers: 2,
    concurrency: 2,
    ttlMs: 300,
    visibilityMs: 400,
    claimIntervalMs: 50,
    load: { jobs: [1, 2, 3, 4].map((number) => ({ key: `k${number}`, atMs: number * 60, forMs: 50 })) },
    faults: "latency(base=400ms, for=900ms)",
    roundMs: 1_500,
  }),
  reach: [faultDuringAcquire("latency")],
};
