import type { Scenario } from "../../harness/contracts/scenario.ts";
import { faultDuringAcquire, somebodyHeld } from "./reach.ts";
import { steadyJobs } from "./timing.ts";

export const redisStop: Scenario = {
  name: "redis-stop",
  summary: "Redis stands still for 1.3 s, longer than the TTL of 1 s, under a command timeout of 100 ms",
  correctLock: "No two hold a key, nothing hangs, and every job is executed once Redis goes on",
  plan: () => ({
    workers: 2,
    concurrency: 4,
    ttlMs: 1_000,
    visibilityMs: 500,
    commandTimeoutMs: 100,
    load: { jobs: steadyJobs({ everyMs: 100, untilMs: 2_500, forMs: 200 }) },
    faults: "redis-pause(at=600ms, for=1.3s)",
    roundMs: 3_000,
  }),
  reach: [somebodyHeld, faultDuringAcquire("redis-pause")],
};
