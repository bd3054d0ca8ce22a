import type { Scenario } from "../../harness/contracts/scenario.ts";
import { faultHappened, faultWithinHold } from "./reach.ts";

export const article: Scenario = {
  name: "article",
  summary:
    "The article's load and troubles: 4 workers, 1,200 jobs a minute, jitter, a Redis pause of 2 s, worker stops, clocks",
  correctLock: "Every job has its effect once",
  plan: () => ({
    workers: 4,
    concurrency: 16,
    ttlMs: 15_000,
    visibilityMs: 2_000,
    queueOn: "lock",
    load: { perMinute: 1_200, time: { kind: "lognormal", p50Ms: 650, p99Ms: 4_000, maxMs: 3_000 } },
    // The troubles of the profile, with the stop at a time when Redis answers and jobs run, and longer than the visibility.
    faults: [
      "jitter(base=0.2ms, p99=1.5ms)",
      "redis-pause(at=600ms, for=2s)",
      "worker-stop(target=worker:1, at=3.2s, for=2.4s)",
      "worker-clock(target=worker:3, offset=+60s)",
    ].join(", "),
    roundMs: 6_000,
  }),
  reach: [faultHappened("redis-pause"), faultWithinHold("worker-stop")],
  weight: 1.5,
};
