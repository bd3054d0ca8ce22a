import type { HistoryEvent } from "../contracts/history.ts";
import { clockErrorNs } from "./clock-error.ts";
import { remember } from "./remember.ts";
import type { Execution, Incarnation, Operated, RoundIndex } from "./round-index.ts";
import { endOfRoundNs, faultWindows, workersOf } from "./windows.ts";

/**
 * The time in which an execution believes that it holds a lock: from the return of acquire to the call of release, or
 * the lost signal. Measured so, network time never makes a false alarm: an overlap that is found is real.
 */
export interface Belief {
  key: string;
  execution: Execution;
  acquire: Operated & { end: HistoryEvent };
  startNs: number;
  endNs: number;
  /** By how much both may be wrong at most, ns: 0 for a worker of this machine. */
  errorNs: number;
  /** What ended it. `gave up`: the execution ended without a release, its acknowledgement unknown. */
  endedBy: "release" | "lost" | "gave up" | "planned kill" | "death" | "end of round";
  /** The event that shows the end, where there is one. */
  endEvent?: HistoryEvent;
}

/** Every belief of an arm's round, in the order in which they began. */
export const beliefsOf = remember((index: RoundIndex): readonly Belief[] => readBeliefs(index));

function readBeliefs(index: RoundIndex): Belief[] {
  const beliefs: Belief[] = [];
  for (const execution of index.executions.values()) {
    const granted = execution.acquires.filter(isGranted);
    granted.forEach((acquire, position) => {
      const { end } = acquire;
      const key = end.key ?? execution.key;
      if (key === undefined) return;
      const next = granted[position + 1]?.end.atNs ?? Number.POSITIVE_INFINITY;
      const errorNs = clockErrorNs(index, execution);
      beliefs.push({
        key,
        execution,
        acquire,
        errorNs,
        startNs: end.atNs,
        ...endOfBelief(index, execution, end, next),
      });
    });
  }
  return beliefs.sort((a, b) => a.startNs - b.startNs);
}

/** The part of a belief that is one whatever the error of its clock: it never makes an overlap that was none. */
export function certainPart<Some extends Pick<Belief, "startNs" | "endNs" | "errorNs">>(belief: Some): Some {
  const { startNs, endNs, errorNs } = belief;
  return errorNs === 0 ? belief : { ...belief, startNs: startNs + errorNs, endNs: endNs - errorNs };
}

export function isGranted(acquire: Operated): acquire is Operated & { end: HistoryEvent } {
  return acquire.end?.phase === "ok";
}

function endOfBelief(
  index: RoundIndex,
  execution: Execution,
  grant: HistoryEvent,
  nextGrantNs: number,
): Pick<Belief, "endNs" | "endedBy" | "endEvent"> {
  const incarnation = index.incarnations.get(`${execution.worker}.${execution.incarnation}`);
  const said = saidEnd(execution, grant, nextGrantNs);
  const kill = incarnation && plannedKill(index, incarnation);
  // What a worker wrote after the moment of the kill was written between the stamp and the signal: the earlier counts.
  if (kill && kill.atNs >= grant.atNs && (!said || kill.atNs < said.endEvent.atNs)) {
    return { endNs: kill.atNs, endedBy: "planned kill", endEvent: kill.event };
  }
  if (said) return { endNs: said.endEvent.atNs, ...said };
  const lastOwn = incarnation?.lastOwn;
  if (incarnation?.ended && lastOwn) {
    return { endNs: Math.max(grant.atNs, lastOwn.atNs), endedBy: "death", endEvent: incarnation.ended };
  }
  return { endNs: endOfRoundNs(index), endedBy: "end of round" };
}

function saidEnd(
  execution: Execution,
  grant: HistoryEvent,
  nextGrantNs: number,
): { endedBy: Belief["endedBy"]; endEvent: HistoryEvent } | undefined {
  const within = (event: HistoryEvent | undefined) =>
    event !== undefined && event.atNs >= grant.atNs && event.atNs <= nextGrantNs;
  const release = execution.releases.map(({ invoke, end }) => invoke ?? end).find(within);
  const lost = execution.lost.find(within);
  if (release && (!lost || release.atNs <= lost.atNs)) return { endedBy: "release", endEvent: release };
  if (lost) return { endedBy: "lost", endEvent: lost };
  const unknownAck = execution.acks.some(({ end }) => end?.phase === "info" && end.outcome === "unknown");
  const skipped = execution.skips.some(within);
  return unknownAck || skipped ? { endedBy: "gave up", endEvent: execution.last } : undefined;
}

/**
 * The last moment before a planned death: the injection of the kill, stamped before its signal; without one (a
 * termination whose grace was over), the last that the process wrote.
 */
export function plannedKill(
  index: RoundIndex,
  { killed, worker, started, lastOwn }: Incarnation,
): { atNs: number; event: HistoryEvent } | undefined {
  if (!killed) return undefined;
  const injected = faultWindows(index).findLast(
    (window) =>
      window.name === "worker-kill" &&
      workersOf(window).includes(worker) &&
      window.startNs <= killed.atNs &&
      window.startNs >= (started?.atNs ?? 0),
  )?.injected;
  if (injected) return { atNs: injected.atNs, event: injected };
  return { atNs: Math.min(killed.atNs, lastOwn?.atNs ?? killed.atNs), event: killed };
}
