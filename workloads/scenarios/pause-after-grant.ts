import type { Scenario } from "../../harness/contracts/scenario.ts";
import { needsOwnAcquire } from "./needs.ts";
import { faultWithinHold, othersAskedTooLate } from "./reach.ts";
import { firstHolderOfTwo } from "./timing.ts";

/** Kleppmann's example: a pause between the grant and the write. */
export const pauseAfterGrant: Scenario = {
  name: "pause-after-grant",
  summary:
    "A worker is stopped 50 ms after its grant for 1.6 s, under a TTL of 1 s; then it goes on as if nothing had been",
  correctLock: "The late holder's write is refused by its fencing token; without one no lock can help here",
  notApplicable: needsOwnAcquire,
  plan: (lock) =>
    firstHolderOfTwo(lock, {
      ttlMs: 1_000,
      forMs: 300,
      roundMs: 3_000,
      faults: "worker-stop(on=grant, after=50ms, target=worker:1, for=1.6s)",
    }),
  reach: [faultWithinHold("worker-stop"), othersAskedTooLate],
};
