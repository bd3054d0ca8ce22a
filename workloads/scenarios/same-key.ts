import type { Scenario } from "../../harness/contracts/scenario.ts";
import { callsOf, holdsOf } from "./history.ts";
import { needsOwnAcquire } from "./needs.ts";

export const sameKey: Scenario = {
  name: "same-key",
  summary: "100 jobs of one key on 4 workers, 5 at once on each, while the first of them works for 2 s",
  correctLock: "Exactly one runs, and 99 are skipped",
  notApplicable: needsOwnAcquire,
  plan: () => ({
    workers: 4,
    concurrency: 5,
    ttlMs: 15_000,
    visibilityMs: 5_000,
    onSkip: "drop",
    load: { jobs: Array.from({ length: 100 }, () => ({ key: "k1", atMs: 0, forMs: 2_000 })) },
    faults: "",
    roundMs: 2_500,
  }),
  reach: [
    {
      name: "99 asked while the first one held the key",
      reached(round) {
        const [first] = holdsOf(round);
        const asked = callsOf(round, "acquire").filter(({ execution }) => execution !== first?.execution);
        return first !== undefined && asked.length >= 99 && asked.every(({ startNs }) => startNs < first.endNs);
      },
    },
  ],
  weight: 1.5,
};
