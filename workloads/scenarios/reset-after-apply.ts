import type { Scenario } from "../../harness/contracts/scenario.ts";
import { ACQUIRE, DELETE } from "./commands.ts";
import { callsOf, overlap, windowsOf } from "./history.ts";
import { firstOf, needsOwnAcquire, needsRedis } from "./needs.ts";
import { jobsOfOneKey, quick, worker1First } from "./timing.ts";

function resetAfterApply(name: string, operation: "acquire" | "release", fault: string): Scenario {
  return {
    name,
    summary: `The connection is reset when ${operation === "acquire" ? "an acquire" : "a release"} has been applied, before its reply: clients send it again by themselves`,
    correctLock: `What is sent again is taken for what it is: ${operation === "acquire" ? "its sender is granted what it has already" : "its sender is told that it released"}`,
    notApplicable: firstOf(needsOwnAcquire, needsRedis),
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
  resetAfterApply(
    "reset-after-apply",
    "acquire",
    `reset-after-apply(command='${ACQUIRE}', nth=1, target=client:1, for=1.2s)`,
  ),
  resetAfterApply(
    "reset-after-release",
    "release",
    `reset-after-apply(command='${DELETE}', nth=1, target=client:1, on=grant, after=20ms, for=1s)`,
  ),
];
