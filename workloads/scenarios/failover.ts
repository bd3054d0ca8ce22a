import type { Scenario } from "../../harness/contracts/scenario.ts";
import { eventsOf, holdsOf, windowsOf } from "./history.ts";
import { firstOf, needsOneServer, needsOwnAcquire, needsSentinel } from "./needs.ts";
import { othersAsked } from "./reach.ts";
import { jobsOfOneKey, quick } from "./timing.ts";

const LAG_MS = 600;

export const failoverLostWrite: Scenario = {
  name: "failover-lost-write",
  summary:
    "The replication link is cut, the primary dies after a grant, and the replica, which lacks the key, is promoted",
  correctLock: "Replication is asynchronous: without fencing tokens no lock on one primary can help here",
  notApplicable: firstOf(needsOwnAcquire, needsOneServer),
  plan: () => ({
    ...quick,
    topology: "replicated",
    workers: 2,
    ttlMs: 6_000,
    load: {
      jobs: jobsOfOneKey([
        { atMs: 700, forMs: 3_000 },
        { atMs: 800, forMs: 1_000 },
      ]),
    },
    faults: `redis-failover(at=500ms, lag=${LAG_MS}ms, for=3.3s)`,
    roundMs: 4_000,
  }),
  reach: [
    {
      name: "a lock that was granted after the cut of the link was held when the primary died",
      reached(round) {
        const holds = holdsOf(round);
        return windowsOf(round, "redis-failover").some((cut) => {
          const deathNs = cut.startNs + LAG_MS * 1e6;
          return holds.some(({ askedNs, endNs }) => askedNs > cut.startNs && askedNs < deathNs && endNs > deathNs);
        });
      },
    },
    othersAsked,
  ],
};

export const minorityPrimary: Scenario = {
  name: "minority-primary",
  summary:
    "The primary and one client are cut off from the sentinels, who promote a replica; the old primary goes on granting",
  correctLock: "Two primaries grant one key: without fencing tokens no lock on one primary can help here",
  notApplicable: firstOf(needsOwnAcquire, needsOneServer, needsSentinel),
  plan: () => ({
    ...quick,
    topology: "sentinel",
    workers: 2,
    ttlMs: 10_000,
    load: {
      jobs: jobsOfOneKey([
        { atMs: 600, forMs: 4_500 },
        { atMs: 600, forMs: 4_500 },
      ]),
    },
    faults: [
      "partition(a=node:1, b=node:2+node:3+sentinel:1+sentinel:2+sentinel:3, at=300ms)",
      "refuse(target=client:2-node:1, at=300ms)",
    ].join(", "),
    roundMs: 6_000,
  }),
  reach: [
    {
      name: "the sentinels promoted another primary while a lock was held",
      reached(round) {
        const holds = holdsOf(round);
        return eventsOf(round, "fault", "observed").some(({ atNs }) =>
          holds.some(({ startNs, endNs }) => startNs < atNs && atNs < endNs),
        );
      },
    },
  ],
};
