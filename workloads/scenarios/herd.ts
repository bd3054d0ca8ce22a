import type { Scenario, ScenarioJob } from "../../harness/contracts/scenario.ts";
import { callsOf, overlap } from "./history.ts";
import { firstOf, needsOwnAcquire, needsQuorum } from "./needs.ts";

const CLIENTS = 6;
const BURSTS = 6;

export const herd: Scenario = {
  name: "herd",
  summary: "Six clients ask for one key at the same instant, on five nodes, again and again",
  correctLock: "At most one is granted it, and after a split vote somebody is soon",
  notApplicable: firstOf(needsOwnAcquire, needsQuorum),
  plan: () => ({
    workers: CLIENTS,
    ttlMs: 1_000,
    visibilityMs: 200,
    claimIntervalMs: 50,
    load: {
      jobs: Array.from({ length: BURSTS }, (_, burst) => burst).flatMap((burst): ScenarioJob[] =>
        Array.from({ length: CLIENTS }, () => ({ key: `k${burst + 1}`, atMs: 100 + burst * 600, forMs: 20 })),
      ),
    },
    faults: "",
    roundMs: 3_800,
  }),
  reach: [
    {
      name: "four asked for one key at once",
      reached(round) {
        const calls = callsOf(round, "acquire");
        return calls.some(
          (call) => calls.filter((other) => other.key === call.key && overlap(call, other)).length >= 4,
        );
      },
    },
  ],
  weight: 1.6,
};
