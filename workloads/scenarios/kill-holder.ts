import type { Scenario } from "../../harness/contracts/scenario.ts";
import { needsOwnAcquire } from "./needs.ts";
import { faultWithinHold } from "./reach.ts";
import { jobsOfOneKey, quick, worker1FirstOfTwo } from "./timing.ts";

export const killHolder: Scenario = {
  name: "kill-holder",
  summary: "A holder is killed at its grant, under a TTL of 1 s",
  correctLock: "The next one is granted the key when the TTL is over, and every job is executed",
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
      faults: `${faults}, worker-kill(on=grant, target=worker:1)`,
      roundMs: 2_000,
    };
  },
  reach: [faultWithinHold("worker-kill")],
};
