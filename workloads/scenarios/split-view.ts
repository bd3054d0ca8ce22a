import type { Scenario } from "../../harness/contracts/scenario.ts";
import { firstOf, needsCommandTimeout, needsOwnAcquire, needsQuorum } from "./needs.ts";
import { faultWithinHold, othersAsked } from "./reach.ts";
import { jobsOfOneKey, quick } from "./timing.ts";

interface Trouble {
  name: string;
  summary: string;
  correctLock: string;
  /** The fault of node 3, which both majorities have in common. */
  fault: string;
  faultName: string;
}

/**
 * Two clients see different majorities, which have one node in common: the first sees nodes 1 to 3, the second 3 to 5. What
 * node 3 forgets, nobody else can tell.
 */
function splitView({ name, summary, correctLock, fault, faultName }: Trouble): Scenario {
  return {
    name,
    summary,
    correctLock,
    notApplicable: firstOf(needsOwnAcquire, needsQuorum, needsCommandTimeout),
    plan: () => ({
      ...quick,
      workers: 2,
      ttlMs: 4_000,
      commandTimeoutMs: 100,
      load: {
        jobs: jobsOfOneKey([
          { atMs: 200, forMs: 2_200 },
          { atMs: 500, forMs: 400 },
        ]),
      },
      faults: [
        "partition(a=client:1, b=node:4+node:5, for=3.5s)",
        "partition(a=client:2, b=node:1+node:2, for=3.5s)",
        fault,
      ].join(", "),
      roundMs: 3_600,
    }),
    reach: [faultWithinHold(faultName), othersAsked],
    premises: [
      {
        check: "hygiene",
        class: "renewal after release",
        why: "what was asked of the nodes beyond the partition arrives there when it is over",
      },
    ],
  };
}

export const nodeClockJump = splitView({
  name: "node-clock-jump",
  summary: "One of five nodes jumps 10 s ahead while two clients see different majorities",
  correctLock: "Redlock rests on clocks that do not jump: without fencing tokens no lock can help here",
  fault: "redis-clock(step=+10s, target=node:3, at=1.2s)",
  faultName: "redis-clock",
});

export const nodeAmnesia = splitView({
  name: "node-amnesia",
  summary: "One of five nodes is killed and comes back empty at once, while two clients see different majorities",
  correctLock:
    "A node that forgets must stay away for longer than the TTL: without fencing tokens no lock can help here",
  fault: "redis-restart(target=node:3, at=1.2s)",
  faultName: "redis-restart",
});
