import type { ArmRound } from "../../harness/contracts/check.ts";
import type { LockCapabilities } from "../../harness/contracts/lock-adapter.ts";
import type { ReachCondition, Scenario } from "../../harness/contracts/scenario.ts";
import { eventsOf, holdsOf, windowsOf } from "./history.ts";
import { firstOf, needsOneServer, needsOwnAcquire, needsSentinel } from "./needs.ts";
import { othersAsked } from "./reach.ts";
import { jobsOfOneKey, quick } from "./timing.ts";

const LAG_MS = 600;

/**
 * A lock that knows its first server only never meets the other primary: that it holds says nothing. One that keeps its
 * locks elsewhere was asked where it keeps them; and of one that does not spell out its keys only a grant tells.
 */
const promotedWasAsked: ReachCondition = {
  name: "a lock was asked for at the primary that the sentinels promoted",
  reached(round) {
    if (keepsLocksElsewhere(round)) return true;
    const holds = holdsOf(round);
    return eventsOf(round, "fault", "observed").some(({ atNs, detail }) => {
      const promoted = Number(/^node:(\d+)$/.exec(String(detail?.target))?.[1]);
      const asked = eventsOf(round, "trace").some(
        (event) =>
          event.atNs > atNs &&
          event.key !== undefined &&
          event.detail?.kind === "command" &&
          event.detail.node === promoted &&
          event.detail.client !== "fault",
      );
      return asked || holds.some((hold) => hold.worker === CUT_OFF && hold.startNs > atNs);
    });
  },
};

/** The worker that cannot reach the old primary any more. */
const CUT_OFF = 2;

const keepsLocksElsewhere = (round: ArmRound): boolean =>
  eventsOf(round, "worker", "ready").some(
    ({ detail }) => (detail?.capabilities as Partial<LockCapabilities> | undefined)?.usesRedis === false,
  );

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
    promotedWasAsked,
  ],
};
