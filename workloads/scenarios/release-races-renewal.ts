import type { Scenario } from "../../harness/contracts/scenario.ts";
import { eventsOf } from "./history.ts";
import { firstOf, needsOwnAcquire, needsRenewal } from "./needs.ts";

const HOLDS = 2_000;

export const releaseRacesRenewal: Scenario = {
  name: "release-races-renewal",
  summary:
    "2,000 holds that end at any moment between two renewals, under jitter: releases and renewals are under way at once",
  correctLock: "Every release takes effect, nothing renews a lock after its release, and no error goes unhandled",
  notApplicable: firstOf(needsOwnAcquire, needsRenewal),
  plan: () => ({
    workers: 2,
    ttlMs: 1_000,
    visibilityMs: 1_000,
    // Within its first second a lock is renewed once or more often, whatever part of the TTL its library waits.
    load: { cycles: HOLDS, inFlight: 100, holdMs: 1_000 },
    faults: "jitter(base=0.2ms, p99=20ms)",
    roundMs: 7_000,
  }),
  reach: [
    {
      name: "1,800 locks were held and released",
      reached: (round) => eventsOf(round, "release").filter(({ phase }) => phase === "invoke").length >= 0.9 * HOLDS,
    },
  ],
  weight: 4,
};
