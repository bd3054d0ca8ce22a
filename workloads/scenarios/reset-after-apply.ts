import type { Scenario } from "../../harness/contracts/scenario.ts";
import { ACQUIRE, DELETE, MINT } from "./commands.ts";
import { callsOf, overlap, windowsOf } from "./history.ts";
import { firstOf, needsFencing, needsOwnAcquire, needsRedis } from "./needs.ts";
import { jobsOfOneKey, quick, worker1First } from "./timing.ts";

interface Applied {
  name: string;
  /** What has been applied: `an acquire`. */
  what: string;
  operation: "acquire" | "release";
  /** What its sender is given in answer to the second. */
  shows: string;
  fault: string;
  isAboutTokens?: boolean;
}

function resetAfterApply({ name, what, operation, shows, fault, isAboutTokens = false }: Applied): Scenario {
  return {
    name,
    summary: `The connection is reset when ${what} has been applied, before its reply: clients send it again by themselves`,
    correctLock: `What is sent again is taken for what it is: ${shows}`,
    notApplicable: isAboutTokens
      ? firstOf(needsOwnAcquire, needsRedis, needsFencing)
      : firstOf(needsOwnAcquire, needsRedis),
    plan: () => ({
      ...quick,
      workers: 2,
      ttlMs: 1_200,
      load: {
        jobs: jobsOfOneKey([
          { atMs: 100, forMs: 200 },
          { atMs: 100, forMs: 200 },
        ]),
      },
      faults: `${worker1First(1)}, ${fault}`,
      roundMs: 1_500,
    }),
    reach: [
      {
        name: `a connection was at stake while ${operation} waited for its answer`,
        reached(round) {
          const calls = callsOf(round, operation).filter(({ worker }) => worker === 1);
          return windowsOf(round, "reset-after-apply").some((window) => calls.some((call) => overlap(call, window)));
        },
      },
    ],
  };
}

export const resetScenarios: readonly Scenario[] = [
  resetAfterApply({
    name: "reset-after-apply",
    what: "an acquire",
    operation: "acquire",
    shows: "its sender is granted what it has already",
    fault: `reset-after-apply(command='${ACQUIRE}', nth=1, target=client:1, for=1.2s)`,
  }),
  resetAfterApply({
    name: "reset-after-release",
    what: "a release",
    operation: "release",
    shows: "its sender is told that it released",
    fault: `reset-after-apply(command='${DELETE}', nth=1, target=client:1, on=grant, after=20ms, for=1s)`,
  }),
  resetAfterApply({
    name: "reset-after-mint",
    what: "the command that mints a fencing token",
    operation: "acquire",
    shows: "one number is left out, and the next holder's token is still the higher one",
    fault: `reset-after-apply(command='${MINT}', nth=1, target=client:1, for=1.2s)`,
    isAboutTokens: true,
  }),
];
