import type { Scenario } from "../../harness/contracts/scenario.ts";
import { needsOwnAcquire } from "./needs.ts";
import { faultWithinHold, othersAskedTooLate } from "./reach.ts";
import { jobsOfOneKey, quick, worker1FirstOfTwo } from "./timing.ts";

/** Kleppmann's example: a pause between the grant and the write. */
export const pauseAfterGrant: Scenario = {
  name: "pause-after-grant",
  summary:
    "A worker is stopped 50 ms after its grant for 1.6 s, under a TTL of 1 s; then it goes on as if nothing had been",
  correctLock: "The late holder's write is refused by its fencing token; without one no lock can help here",
  notApplicable: needsOwnAcquire,
  plan(lock) {
    const { faults, fromMs } = worker1FirstOfTwo(lock);
    return {
      ...quick,
      workers: 2,
      ttlMs: 1_000,
      load: {
        jobs: jobsOfOneKey([
          { atMs: fromMs, forMs: 300 },
          { atMs: fromMs, forMs: 300 },
        ]),
      },
      faults: `${faults}, worker-stop(on=grant, after=50ms, target=worker:1, for=1.6s)`,
      roundMs: 3_000,
    };
  },
  reach: [faultWithinHold("worker-stop"), othersAskedTooLate],
};
