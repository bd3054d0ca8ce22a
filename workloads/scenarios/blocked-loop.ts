import type { Scenario } from "../../harness/contracts/scenario.ts";
import { firstOf, needsOwnAcquire, needsRenewal } from "./needs.ts";
import { faultWithinHold, othersAsked } from "./reach.ts";
import { firstHolderOfTwo } from "./timing.ts";

export const blockedLoop: Scenario = {
  name: "blocked-loop",
  summary: "The holder's event loop is blocked for 2.5 x TTL, so that its renewals cannot be sent",
  correctLock: "The holder is told that its lock is lost before its effect, or the late write is refused",
  notApplicable: firstOf(needsOwnAcquire, needsRenewal),
  plan: (lock) =>
    firstHolderOfTwo(lock, {
      ttlMs: 1_000,
      forMs: 2_000,
      roundMs: 4_000,
      faults: "worker-block(on=grant, target=worker:1, for=2.5s)",
    }),
  reach: [faultWithinHold("worker-block"), othersAsked],
  premises: [
    {
      check: "exclusion",
      class: "broken promise",
      why: "a worker that is blocked cannot be told of its loss any sooner",
    },
    {
      check: "exclusion",
      class: "expired hold",
      why: "a worker that is blocked cannot be told of its loss any sooner",
    },
  ],
};
