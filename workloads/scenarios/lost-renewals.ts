import type { Scenario } from "../../harness/contracts/scenario.ts";
import { RENEW } from "./commands.ts";
import { lengthMs } from "./history.ts";
import { firstOf, needsOwnAcquire, needsRedis, needsRenewal } from "./needs.ts";
import { othersAsked, withinHold } from "./reach.ts";
import { jobsOfOneKey, quick, worker1First } from "./timing.ts";

const TTL_MS = 600;

function lostRenewals(name: string, summary: string, faultName: string, fault: string): Scenario {
  return {
    name,
    summary,
    correctLock: "The holder still holds when it has its effect, or is told in time that its lock is lost",
    notApplicable: firstOf(needsOwnAcquire, needsRedis, needsRenewal),
    plan: () => ({
      ...quick,
      workers: 2,
      ttlMs: TTL_MS,
      load: {
        jobs: jobsOfOneKey([
          { atMs: 0, forMs: 2_000 },
          { atMs: 0, forMs: 2_000 },
        ]),
      },
      faults: `${worker1First(1)}, ${fault}`,
      roundMs: 3_000,
    }),
    reach: [
      {
        name: "the renewals of several TTLs were at stake",
        // What the lock says it lost ends the hold; then one TTL is enough.
        reached: (round) => withinHold(round, faultName).some(({ window }) => lengthMs(window) > 2 * TTL_MS),
      },
      othersAsked,
    ],
  };
}

const held = "on=grant, after=20ms, for=1.9s, target=client:1";

export const lostRenewalScenarios: readonly Scenario[] = [
  lostRenewals(
    "lost-renewals",
    "Each renewal is answered by an error, with a probability of 0.3",
    "error-reply",
    `error-reply(command='${RENEW}', probability=0.3, error=TRYAGAIN, ${held})`,
  ),
  lostRenewals(
    "lost-renewals-reset",
    "At each renewal the connection is lost before its reply, with a probability of 0.3",
    "reset-after-apply",
    `reset-after-apply(command='${RENEW}', probability=0.3, ${held})`,
  ),
];
