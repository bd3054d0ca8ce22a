import type { Scenario } from "../../harness/contracts/scenario.ts";
import { needsOwnAcquire } from "./needs.ts";
import { faultWithinHold } from "./reach.ts";
import { firstHolderOfTwo } from "./timing.ts";

export const killHolder: Scenario = {
  name: "kill-holder",
  summary: "A holder is killed at its grant, under a TTL of 1 s",
  correctLock: "The next one is granted the key when the TTL is over, and every job is executed",
  notApplicable: needsOwnAcquire,
  plan: (lock) =>
    firstHolderOfTwo(lock, {
      ttlMs: 1_000,
      forMs: 300,
      roundMs: 2_000,
      faults: "worker-kill(on=grant, target=worker:1)",
    }),
  reach: [faultWithinHold("worker-kill")],
};
