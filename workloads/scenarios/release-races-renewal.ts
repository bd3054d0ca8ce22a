import type { Scenario } from "../../harness/contracts/scenario.ts";
import { eventsOf } from "./history.ts";
import { firstOf, needsOwnAcquire, needsRenewal } from "./needs.ts";

/** On five nodes every hold takes five times the commands: fewer of them load a machine as much as it can bear. */
const onOneServer = { cycles: 2_000, inFlight: 100 };
const onSeveral = { cycles: 600, inFlight: 25 };
/** The part of them that must have been held and released. */
const ENOUGH = 0.9;

export const releaseRacesRenewal: Scenario = {
  name: "release-races-renewal",
  summary:
    "2,000 holds (on five nodes 600) that end at any moment between two renewals, under jitter: releases and renewals are under way at once",
  correctLock: "Every release takes effect, nothing renews a lock after its release, and no error goes unhandled",
  notApplicable: firstOf(needsOwnAcquire, needsRenewal),
  plan: ({ capabilities }) => ({
    workers: 2,
    ttlMs: 1_000,
    visibilityMs: 1_000,
    // Within its first second a lock is renewed once or more often, whatever part of the TTL its library waits.
    load: { ...(capabilities.nodes > 1 ? onSeveral : onOneServer), holdMs: 1_000 },
    faults: "jitter(base=0.2ms, p99=20ms)",
    roundMs: 7_000,
  }),
  reach: [
    {
      name: "nine of ten locks were held and released",
      reached(round, { load, workers }) {
        const planned = load.kind === "max" ? (load.cycles ?? 0) * workers : 0;
        const released = eventsOf(round, "release").filter(({ phase }) => phase === "invoke").length;
        return planned > 0 && released >= ENOUGH * planned;
      },
    },
  ],
  weight: 2,
};
