import type { Scenario } from "../../harness/contracts/scenario.ts";
import { eventsOf } from "./history.ts";
import { firstOf, needsOwnAcquire, needsRenewal } from "./needs.ts";

const HOLDS = 10_000;

export const releaseRacesRenewal: Scenario = {
  name: "release-races-renewal",
  summary: "10,000 short holds that are renewed, under jitter, so that releases and renewals are under way at once",
  correctLock: "Every release takes effect, nothing renews a lock after its release, and no error goes unhandled",
  notApplicable: firstOf(needsOwnAcquire, needsRenewal),
  plan: () => ({
    workers: 2,
    ttlMs: 60,
    visibilityMs: 1_000,
    load: { cycles: HOLDS, inFlight: 50, holdMs: 20 },
    faults: "jitter(base=0.2ms, p99=10ms)",
    roundMs: 12_000,
  }),
  reach: [
    {
      name: "9,000 locks were held and released",
      reached: (round) => eventsOf(round, "release").filter(({ phase }) => phase === "invoke").length >= 0.9 * HOLDS,
    },
  ],
  weight: 8,
};
