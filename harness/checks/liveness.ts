import type { Check, CheckedRun } from "../contracts/check.ts";
import { groupBy, lockRounds } from "./arms.ts";
import { type Attempt, isPlainRefusal, isUnsuccessful } from "./attempts.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { clockErrorNs } from "./clock-error.ts";
import { effectsByJob } from "./effects.ts";
import { type Lease, leasesOf } from "./leases.ts";
import { patienceNs, stalledNs } from "./patience.ts";
import { type Case, findingsOf } from "./report.ts";
import { indexRound, type RoundIndex } from "./round-index.ts";
import type { Span } from "./spans.ts";
import { wedgedWorkers } from "./wedged-workers.ts";
import { duration, excerpt, worker } from "./words.ts";

/** A free key is granted to someone who asks, and a worker takes the jobs that wait. */
export const liveness: Check = {
  name: "liveness",
  summary: "A free key is granted to those who ask for it, and no worker stands idle while jobs wait",
  classes: {
    "no grant": "The key's lease was over, someone tried, and nobody was granted it in time",
    "wedged worker": "A worker with room for more took no job while jobs waited",
  },
  check(run) {
    const cases = lockRounds(run).flatMap((armRound) => {
      const index = indexRound(armRound);
      return [...withoutGrant(index, run), ...wedgedWorkers(index, run.plan)];
    });
    return findingsOf(liveness.name, cases);
  },
};

function withoutGrant(index: RoundIndex, { plan }: CheckedRun): Case[] {
  const attempts = groupBy(unsuccessful(index), ({ execution }) => execution.key ?? "");
  if (attempts.size === 0) return [];
  const leases = leasesOf(index, plan);
  const quorum = capabilitiesOf(index).nodes > 1;
  const ttlNs = plan.ttlMs * 1e6;
  // Of a quorum, a minority may stay behind for a TTL after a vote that nobody won.
  const limitNs = patienceNs(plan) + (quorum ? ttlNs : 0);
  return [...attempts].flatMap(([key, tries]) => {
    const all = leases.get(key) ?? [];
    const isPending = ({ isPossible, startNs, endNs }: Lease) =>
      isPossible === true && endNs - startNs > ttlNs + limitNs;
    const found = longestDenial(index, tries, {
      ...{ limitNs, ttlNs, quorum },
      leases: all.filter((lease) => !isPending(lease)),
      pending: all.filter(isPending),
    });
    return found ? [describe(index, key, found)] : [];
  });
}

interface Circumstances {
  leases: readonly Lease[];
  /** Of acquires that were pending for long: each may have taken the key once, for a TTL, at any time. */
  pending: readonly Lease[];
  limitNs: number;
  ttlNs: number;
  quorum: boolean;
}

interface Denial extends Span {
  first: Attempt;
  last: Attempt;
  /** The lease that was over. Absent: the key had never been taken. */
  lease?: Lease;
}

/** Tries on a free key, none granted: as long as the tries went on, or, for a plain refusal, since the key was free. */
function longestDenial(
  index: RoundIndex,
  tries: readonly Attempt[],
  { leases, pending, limitNs, ttlNs, quorum }: Circumstances,
): Denial | undefined {
  let worst: { denial: Denial; overNs: number } | undefined;
  let stretch: Denial | undefined;
  for (const attempt of tries) {
    const lease = latestLease(leases, attempt.end.atNs);
    const freeNs = lease?.endNs ?? index.armRound.events[0]!.atNs;
    if (freeNs > attempt.invoke.atNs - clockErrorNs(index, attempt.execution)) {
      stretch = undefined;
      continue;
    }
    if (!stretch || stretch.lease !== lease) {
      stretch = {
        startNs: attempt.invoke.atNs,
        endNs: attempt.end.atNs,
        first: attempt,
        last: attempt,
        ...(lease ? { lease } : {}),
      };
    } else {
      stretch = { ...stretch, endNs: attempt.end.atNs, last: attempt };
    }
    const held = !quorum && isPlainRefusal(attempt);
    const denial = held ? { ...stretch, startNs: freeNs } : stretch;
    const between = pending.filter(
      ({ execution, startNs, endNs }) =>
        execution !== attempt.execution && startNs < denial.endNs && endNs > denial.startNs,
    ).length;
    // Before, between and after them a wait is allowed each time, so that no way in which they may have held explains more.
    const allowedNs = limitNs * (between + 1) + ttlNs * between;
    const overNs = denial.endNs - denial.startNs - stalledNs(index, denial, attempt.execution.worker) - allowedNs;
    if (overNs > 0 && (!worst || overNs > worst.overNs)) worst = { denial, overNs };
  }
  return worst?.denial;
}

/** The lease that ends last among those begun before a moment. */
function latestLease(leases: readonly Lease[], atNs: number): Lease | undefined {
  let latest: Lease | undefined;
  for (const lease of leases) {
    if (lease.startNs >= atNs) break;
    if (!latest || lease.endNs > latest.endNs) latest = lease;
  }
  return latest;
}

/** A job that has been done already needs no grant any more. */
function unsuccessful(index: RoundIndex): Attempt[] {
  const effects = effectsByJob(index);
  const attempts: Attempt[] = [];
  for (const execution of index.executions.values()) {
    for (const acquire of execution.acquires) {
      const { invoke, end } = acquire;
      if (!invoke || !end || !isUnsuccessful(acquire)) continue;
      const done =
        execution.job !== undefined &&
        effects.get(execution.job)?.some(({ endNs }) => endNs <= end.atNs + clockErrorNs(index, execution));
      if (!done) attempts.push({ execution, invoke, end });
    }
  }
  return attempts.sort((a, b) => a.invoke.atNs - b.invoke.atNs);
}

function describe(index: RoundIndex, key: string, { first, last, lease, startNs, endNs }: Denial): Case {
  const freed = lease?.execution.releases.at(-1)?.end ?? lease?.execution.last;
  return {
    index,
    class: "no grant",
    weight: endNs - startNs,
    message: `Nobody was granted ${key} for ${duration(endNs - startNs)} although its lease was over and ${worker(last.execution)} asked for it.`,
    evidence: () =>
      excerpt(
        [freed, "the last that is known of the hold before; its lease is over by the time of the tries"],
        [first.invoke, "someone asks for the free key"],
        [first.end, `and is ${first.end.outcome}`],
        [last.invoke, "still nobody holds it"],
        [last.end, `and still it is ${last.end.outcome}`],
      ),
  };
}
