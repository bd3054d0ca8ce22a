import type { Scenario } from "../../harness/contracts/scenario.ts";
import { callsOf } from "./history.ts";
import { firstOf, needsOwnAcquire, needsRedis } from "./needs.ts";
import { withinHold } from "./reach.ts";

export const scriptFlush: Scenario = {
  name: "script-flush",
  summary: "The servers' script cache is flushed between a grant and its release",
  correctLock: "The release is sent again with the script's text, and takes effect",
  notApplicable: firstOf(needsOwnAcquire, needsRedis),
  plan: () => ({
    workers: 1,
    ttlMs: 3_000,
    visibilityMs: 1_000,
    load: {
      jobs: [
        { key: "k1", atMs: 0, forMs: 100 },
        { key: "k2", atMs: 300, forMs: 400 },
        { key: "k2", atMs: 500, forMs: 100 },
      ],
    },
    faults: "redis-script-flush(on=grant, nth=2, after=100ms)",
    roundMs: 1_500,
  }),
  reach: [
    {
      name: "the scripts were flushed within a hold that was released afterwards",
      reached(round) {
        const releases = callsOf(round, "release");
        return withinHold(round, "redis-script-flush").some(({ hold }) =>
          releases.some(({ execution }) => execution === hold.execution),
        );
      },
    },
  ],
};
