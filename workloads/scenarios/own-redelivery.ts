import type { Scenario } from "../../harness/contracts/scenario.ts";
import { callsOf, holdsOf } from "./history.ts";
import { needsOwnAcquire } from "./needs.ts";

export const ownRedelivery: Scenario = {
  name: "own-redelivery",
  summary: "One worker, 5 jobs at once, gets its own running job again while it works on it",
  correctLock: "The second execution inside the same process is refused like any other",
  notApplicable: needsOwnAcquire,
  plan: () => ({
    workers: 1,
    concurrency: 5,
    ttlMs: 5_000,
    visibilityMs: 400,
    claimIntervalMs: 50,
    load: { jobs: [1, 2, 3].map((number) => ({ key: `k${number}`, atMs: number * 50, forMs: 1_200 })) },
    faults: "",
    roundMs: 1_800,
  }),
  reach: [
    {
      name: "a worker asked for the key of its own running job",
      reached(round) {
        const calls = callsOf(round, "acquire");
        return holdsOf(round).some((hold) =>
          calls.some(
            (call) =>
              call.worker === hold.worker &&
              call.key === hold.key &&
              call.execution !== hold.execution &&
              call.startNs > hold.startNs &&
              call.startNs < hold.endNs,
          ),
        );
      },
    },
  ],
};
