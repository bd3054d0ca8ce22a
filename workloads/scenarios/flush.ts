import type { Scenario } from "../../harness/contracts/scenario.ts";
import { needsOwnAcquire } from "./needs.ts";
import { faultWithinHold, othersAsked } from "./reach.ts";
import { jobsOfOneKey, quick, worker1First } from "./timing.ts";

export const flush: Scenario = {
  name: "flush",
  summary: "Every key is flushed from the servers while a lock is held",
  correctLock: "No lock in Redis can help here; a token counter that is flushed too does not help either",
  notApplicable: needsOwnAcquire,
  plan: () => ({
    ...quick,
    workers: 2,
    ttlMs: 3_000,
    load: {
      jobs: jobsOfOneKey([
        { atMs: 0, forMs: 1_200 },
        { atMs: 0, forMs: 1_200 },
      ]),
    },
    faults: `${worker1First(1)}, redis-flush(at=400ms)`,
    roundMs: 2_000,
  }),
  reach: [faultWithinHold("redis-flush"), othersAsked],
};
