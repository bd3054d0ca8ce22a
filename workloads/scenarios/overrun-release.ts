import type { Scenario } from "../../harness/contracts/scenario.ts";
import { callsOf, holdsOf } from "./history.ts";
import { firstOf, needsNoRenewal, needsOwnAcquire, needsTtl } from "./needs.ts";
import { outlivedTtl } from "./reach.ts";

/** The article's reason for the token: a late release must leave the next holder's lock alone. */
export const overrunRelease: Scenario = {
  name: "overrun-release",
  summary: "A holder outlives its TTL of 1 s and releases while the next one holds the key, and a third asks for it",
  correctLock: "The late release leaves the next holder's lock alone, and the third is refused",
  notApplicable: firstOf(needsOwnAcquire, needsNoRenewal, needsTtl),
  plan: () => ({
    workers: 3,
    ttlMs: 1_000,
    visibilityMs: 5_000,
    onSkip: "drop",
    job: "webhook",
    load: {
      jobs: [
        { key: "k1", atMs: 0, forMs: 1_500 },
        { key: "k1", atMs: 1_150, forMs: 900 },
        { key: "k1", atMs: 1_750, forMs: 100 },
      ],
    },
    faults: "",
    roundMs: 2_500,
  }),
  reach: [
    outlivedTtl,
    {
      name: "a late release was called while the next one held the key",
      reached(round, { ttlMs }) {
        const holds = holdsOf(round);
        return callsOf(round, "release").some((release) => {
          const own = holds.find(({ execution }) => execution === release.execution);
          const late = own !== undefined && release.startNs > own.askedNs + ttlMs * 1e6;
          return (
            late && holds.some((next) => next !== own && next.startNs < release.startNs && release.startNs < next.endNs)
          );
        });
      },
    },
  ],
  premises: [
    { check: "exclusion", class: "expired hold", why: "the first holder outlives its TTL on purpose" },
    { check: "late effects", class: "after the promise", why: "the first holder outlives its TTL on purpose" },
  ],
};
