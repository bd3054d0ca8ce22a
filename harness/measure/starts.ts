import { quantile, sorted } from "./quantiles.ts";

/** One job's start, ns. */
export interface Start {
  plannedNs: number;
  /** When it was known to be in the queue: confirmed, or delivered. Absent if it never was. */
  addedNs?: number;
  /** Planned inside a window in which Redis was stopped on purpose. */
  inFault: boolean;
}

export interface StartFigures {
  late: number;
  dropped: number;
  droppedInFaults: number;
  lateP50Ms: number | null;
  lateP99Ms: number | null;
}

/** Later than this counts as late, ms: what a timer is off by on any machine. */
const LATE_MS = 1;
/** Not added within this time counts as dropped, ms. */
const DROPPED_MS = 1000;

/** How well the load generator kept to its plan: late = when the job was really added - planned. */
export function startFigures(starts: readonly Start[]): StartFigures {
  const lateMs: number[] = [];
  let late = 0;
  let dropped = 0;
  let droppedInFaults = 0;
  for (const { plannedNs, addedNs, inFault } of starts) {
    const byMs = addedNs === undefined ? Number.POSITIVE_INFINITY : (addedNs - plannedNs) / 1e6;
    if (Number.isFinite(byMs)) lateMs.push(byMs);
    if (byMs > DROPPED_MS) {
      dropped += 1;
      if (inFault) droppedInFaults += 1;
    } else if (byMs > LATE_MS) {
      late += 1;
    }
  }
  const values = sorted(lateMs);
  return { late, dropped, droppedInFaults, lateP50Ms: quantile(values, 0.5), lateP99Ms: quantile(values, 0.99) };
}
