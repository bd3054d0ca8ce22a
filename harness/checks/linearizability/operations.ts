import type { HistoryEvent } from "../../contracts/history.ts";
import type { LockPlan } from "../../contracts/lock-plan.ts";
import { isPlainRefusal } from "../attempts.ts";
import { isGranted } from "../beliefs.ts";
import { capabilitiesOf } from "../capabilities.ts";
import { clockErrorNs } from "../clock-error.ts";
import type { Execution, Operated, RoundIndex } from "../round-index.ts";
import { FREE, type ModelOperation } from "./model.ts";

/** Where an operation of the model comes from. */
export interface Source {
  execution: Execution;
  invoke?: HistoryEvent;
  end?: HistoryEvent;
}

export type LockOperation = ModelOperation<Source>;

/**
 * The operations of each key, as the model has them. What failed for certain did not happen; of what nobody knows, an
 * acquire or a release may take effect at any later time, or never. A refusal counts for one node only: a quorum may
 * refuse everyone; and so may a lock that gives a reason of its own.
 */
export function lockOperations(index: RoundIndex, { ttlMs }: LockPlan): Map<string, LockOperation[]> {
  const { nodes, lease } = capabilitiesOf(index);
  const quorum = nodes > 1;
  const byKey = new Map<string, LockOperation[]>();
  let holds = 0;
  for (const execution of index.executions.values()) {
    const { key, acquires } = execution;
    const errorNs = clockErrorNs(index, execution);
    if (key === undefined || acquires.length === 0) continue;
    let operations = byKey.get(key);
    if (!operations) {
      operations = [];
      byKey.set(key, operations);
    }
    acquires.forEach((acquire, position) => {
      const { invoke, end } = acquire;
      if (isGranted(acquire) || !end || end.phase === "info") {
        if (!invoke && !end) return;
        const until = acquires.slice(position + 1).find(isGranted)?.end.atNs ?? Number.POSITIVE_INFINITY;
        const hold: HoldToDescribe = { hold: holds, execution, acquire, until, ttlNs: ttlMs * 1e6, errorNs };
        if (lease === "connection") hold.endsWithProcessNs = diedAfterNs(index, execution);
        holdOperations(operations, hold);
        holds += 1;
      } else if (!quorum && isPlainRefusal(acquire)) {
        operations.push({
          kind: "refused",
          hold: FREE,
          ...timesOf(acquire, errorNs),
          source: { execution, ...acquire },
        });
      }
    });
  }
  return byKey;
}

interface HoldToDescribe {
  hold: number;
  execution: Execution;
  acquire: Operated;
  /** The next grant of the same execution: what comes after belongs to that one. */
  until: number;
  ttlNs: number;
  /** By how much its times may be wrong. */
  errorNs: number;
  /** For a hold that lasts as long as its holder's connection: when that may have closed. */
  endsWithProcessNs?: number;
}

/** A process was alive at the last of its own events; one that has not ended keeps its connection. */
function diedAfterNs(index: RoundIndex, { worker, incarnation }: Execution): number {
  const process = index.incarnations.get(`${worker}.${incarnation}`);
  return (process?.ended && process.lastOwn?.atNs) ?? Number.POSITIVE_INFINITY;
}

function holdOperations(operations: LockOperation[], described: HoldToDescribe): void {
  const { hold, execution, acquire, until, ttlNs, errorNs } = described;
  const optional = !isGranted(acquire);
  const push = (kind: LockOperation["kind"], operated: Operated, mayNeverHappen: boolean) =>
    operations.push({
      kind,
      hold,
      ...timesOf(operated, errorNs),
      ...(mayNeverHappen ? { optional: true, returnedNs: Number.POSITIVE_INFINITY } : {}),
      source: { execution, ...operated },
    });
  push("acquire", acquire, optional);

  const { calledNs } = timesOf(acquire, errorNs);
  const own = (operated: Operated) => {
    const atNs = timesOf(operated, 0).calledNs;
    return atNs >= timesOf(acquire, 0).calledNs && atNs < until;
  };
  let renewedNs = calledNs;
  for (const extension of execution.extends.filter(own)) {
    if (extension.end?.phase === "ok") {
      push("extend", extension, false);
      renewedNs = Math.max(renewedNs, timesOf(extension, errorNs).calledNs);
    } else if (wasNotOwner(extension)) push("not-owner", extension, false);
  }
  for (const release of execution.releases.filter(own)) {
    if (release.end?.phase === "ok") push("release", release, false);
    else if (!release.end || release.end.phase === "info") push("release", release, true);
    else if (wasNotOwner(release)) push("not-owner", release, false);
  }
  const diedNs = described.endsWithProcessNs;
  const expiresNs = diedNs === undefined ? renewedNs + ttlNs : diedNs - errorNs;
  operations.push({ kind: "expire", hold, calledNs: expiresNs, returnedNs: Number.POSITIVE_INFINITY, optional: true });
}

function wasNotOwner({ end }: Operated): boolean {
  return end?.phase === "fail" && end.outcome === "not-owner";
}

/** Never shorter than they were. Where it is told how long the call took, its time is known from that. */
function timesOf({ invoke, end }: Operated, errorNs: number): { calledNs: number; returnedNs: number } {
  const tookNs = end?.detail?.tookNs;
  const calledNs = end && typeof tookNs === "number" ? end.atNs - tookNs : ((invoke ?? end)?.atNs ?? 0);
  return { calledNs: calledNs - errorNs, returnedNs: (end?.atNs ?? Number.POSITIVE_INFINITY) + errorNs };
}
