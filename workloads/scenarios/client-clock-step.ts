import type { Scenario } from "../../harness/contracts/scenario.ts";
import { needsOwnAcquire } from "./needs.ts";
import { faultWithinHold, othersAsked } from "./reach.ts";
import { firstHolderOfTwo } from "./timing.ts";

export const clientClockStep: Scenario = {
  name: "client-clock-step",
  summary: "The wall clock of a holder steps back by 5 s, that of the one who waits ahead by 60 s",
  correctLock:
    "Nobody is granted a key that is held: leases are reckoned by the server, or by a clock that never steps",
  notApplicable: needsOwnAcquire,
  plan: (lock) =>
    firstHolderOfTwo(lock, {
      ttlMs: 3_000,
      forMs: 1_500,
      roundMs: 2_500,
      faults: [
        "worker-clock(step=-5s, on=grant, target=worker:1, after=200ms, for=1.5s)",
        "worker-clock(step=+60s, target=worker:2, at=700ms, for=1.5s)",
      ].join(", "),
    }),
  reach: [faultWithinHold("worker-clock"), othersAsked],
};
