import { groupBy } from "../checks/arms.ts";
import { isUnsuccessful } from "../checks/attempts.ts";
import { type Belief, beliefsOf, isGranted } from "../checks/beliefs.ts";
import { capabilitiesOf } from "../checks/capabilities.ts";
import { longestOrphanNs } from "../checks/orphan-lock.ts";
import type { Execution, RoundIndex } from "../checks/round-index.ts";
import { isStandstill } from "../checks/standstills.ts";
import { commandsByToken } from "../checks/traced-commands.ts";
import { deadGrants } from "../checks/validity.ts";
import { faultWindows } from "../checks/windows.ts";
import type { LockPlan } from "../contracts/lock-plan.ts";

/** How a lock fared in a round where its keys were asked for by several. Times in ns. */
export interface RoundContention {
  /** Of jobs that were not granted at their first try: from the call of that try to the grant. */
  waitsNs: readonly number[];
  /** From the end of a hold to the next grant of its key, where somebody had asked for it in vain meanwhile. */
  nextGrantsNs: readonly number[];
  splitVotes: number;
  /** Of each hold: the commands that carried its token on the node that got most of them. Undefined: there is no trace. */
  commandsOfHolds: readonly number[] | undefined;
  unseenDeadGrants: number;
  /** Undefined: there is no trace. */
  longestOrphanNs: number | undefined;
}

export function contentionOf(index: RoundIndex, plan: LockPlan): RoundContention {
  const tries = triesOf(index);
  const beliefs = groupBy(beliefsOf(index), ({ key }) => key);
  const byKey = groupBy(tries, ({ key }) => key);
  const isTraced = index.trace.length > 0;
  return {
    waitsNs: waitsOf(tries),
    nextGrantsNs: [...beliefs].flatMap(([key, holds]) => nextGrants(holds, byKey.get(key) ?? [])),
    splitVotes:
      capabilitiesOf(index).nodes > 1
        ? [...byKey].reduce((sum, [key, own]) => sum + splitVotes(own, beliefs.get(key) ?? []), 0)
        : 0,
    commandsOfHolds: isTraced ? commandsOfHolds(index) : undefined,
    unseenDeadGrants: mayStandStill(index) ? deadGrants(index, plan).filter(({ excusedBy }) => excusedBy).length : 0,
    longestOrphanNs: isTraced ? longestOrphanNs(index) : undefined,
  };
}

/** Without a worker that stands still there is nothing that a lock could not have seen. */
const mayStandStill = (index: RoundIndex): boolean => faultWindows(index).some(isStandstill);

/** A call of acquire that came back. */
interface Try {
  execution: Execution;
  key: string;
  startNs: number;
  endNs: number;
  became: "granted" | "unsuccessful" | "other";
}

/** In the order of their calls. */
function triesOf(index: RoundIndex): Try[] {
  const tries: Try[] = [];
  for (const execution of index.executions.values()) {
    for (const acquire of execution.acquires) {
      const { invoke, end } = acquire;
      const key = execution.key ?? end?.key;
      if (!invoke || !end || key === undefined) continue;
      const became = isGranted(acquire) ? "granted" : isUnsuccessful(acquire) ? "unsuccessful" : "other";
      tries.push({ execution, key, startNs: invoke.atNs, endNs: end.atNs, became });
    }
  }
  return tries.sort((a, b) => a.startNs - b.startNs);
}

function waitsOf(tries: readonly Try[]): number[] {
  const waits: number[] = [];
  const firstInVain = new Map<string, number>();
  const granted = new Set<string>();
  for (const { execution, startNs, endNs, became } of tries) {
    const { job } = execution;
    if (job === undefined || granted.has(job)) continue;
    if (became !== "granted") {
      if (!firstInVain.has(job)) firstInVain.set(job, startNs);
      continue;
    }
    granted.add(job);
    const since = firstInVain.get(job);
    if (since !== undefined) waits.push(endNs - since);
  }
  return waits;
}

/** @param holds of one key, in the order in which they began @param tries of the same key */
function nextGrants(holds: readonly Belief[], tries: readonly Try[]): number[] {
  const inVain = tries.filter(({ became }) => became !== "granted");
  const took: number[] = [];
  let next = 0;
  for (const [position, hold] of holds.slice(0, -1).entries()) {
    const { startNs: grantedNs } = holds[position + 1]!;
    while (next < inVain.length && inVain[next]!.startNs < hold.startNs) next += 1;
    const asked = inVain[next];
    if (asked !== undefined && asked.startNs < grantedNs && grantedNs >= hold.endNs) took.push(grantedNs - hold.endNs);
  }
  return took;
}

/** Tries of one key at the same time, none of them granted though nobody held it: each had some of the nodes. */
function splitVotes(tries: readonly Try[], holds: readonly Belief[]): number {
  let votes = 0;
  let together: Try[] = [];
  let untilNs = Number.NEGATIVE_INFINITY;
  const count = () => {
    const [first] = together;
    const isSplit = together.length > 1 && together.every(({ became }) => became === "unsuccessful");
    const isHeld = () => holds.some(({ startNs, endNs }) => startNs < untilNs && endNs > (first?.startNs ?? untilNs));
    if (isSplit && !isHeld()) votes += 1;
  };
  for (const one of tries) {
    if (one.startNs >= untilNs) {
      count();
      together = [];
    }
    together.push(one);
    untilNs = together.length === 1 ? one.endNs : Math.max(untilNs, one.endNs);
  }
  count();
  return votes;
}

function commandsOfHolds(index: RoundIndex): number[] {
  const commands = commandsByToken(index);
  return beliefsOf(index).flatMap(({ acquire }) => {
    const own = commands.get(acquire.end.token ?? "");
    if (!own) return [];
    return [Math.max(...[...groupBy(own, ({ node }) => String(node)).values()].map(({ length }) => length))];
  });
}
