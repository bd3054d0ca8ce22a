import type { Scenario } from "../../harness/contracts/scenario.ts";
import { callsOf } from "./history.ts";
import { firstOf, needsOwnAcquire, needsRedis } from "./needs.ts";
import { withinHold } from "./reach.ts";

interface Forgotten {
  name: string;
  summary: string;
  fault: string;
  parameters?: readonly string[];
  /** How long the job within which it happens takes, ms. */
  forMs: number;
}

/** Between the second grant and its release every server forgets its scripts. */
function scriptsForgotten({ name, summary, fault, parameters = [], forMs }: Forgotten): Scenario {
  return {
    ...{ name, summary },
    correctLock: "The release is sent again with the script's text, and takes effect",
    notApplicable: firstOf(needsOwnAcquire, needsRedis),
    plan: () => ({
      workers: 1,
      ttlMs: 3_000,
      visibilityMs: 1_000,
      load: {
        jobs: [
          { key: "k1", atMs: 0, forMs: 100 },
          { key: "k2", atMs: 300, forMs },
          { key: "k2", atMs: 500, forMs: 100 },
        ],
      },
      faults: `${fault}(${["on=grant", "nth=2", "after=100ms", ...parameters].join(", ")})`,
      roundMs: 1_100 + forMs,
    }),
    reach: [
      {
        name: "the scripts were forgotten within a hold that was released afterwards",
        reached(round) {
          const releases = callsOf(round, "release");
          return withinHold(round, fault).some(({ hold }) =>
            releases.some(({ execution }) => execution === hold.execution),
          );
        },
      },
    ],
  };
}

export const scriptFlushScenarios: readonly Scenario[] = [
  scriptsForgotten({
    name: "script-flush",
    summary: "The servers' script cache is flushed between a grant and its release",
    fault: "redis-script-flush",
    forMs: 400,
  }),
  scriptsForgotten({
    name: "script-flush-restart",
    summary: "The servers are restarted between a grant and its release, and keep their keys but not their scripts",
    fault: "redis-restart",
    parameters: ["emptied=no"],
    forMs: 900,
  }),
];
