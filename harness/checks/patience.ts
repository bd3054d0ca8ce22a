import type { LockPlan } from "../contracts/lock-plan.ts";
import type { RoundIndex } from "./round-index.ts";
import { coveredNs, type Span } from "./spans.ts";
import { faultWindows, isStall, reachesWorker } from "./windows.ts";

/** How long something that should go on may stand still, ns, besides the time of faults: the interval of tries + 1 s. */
export function patienceNs({ claimIntervalMs }: LockPlan): number {
  return claimIntervalMs * 1e6 + 1e9;
}

/** How much of a stretch faults held this worker up, ns. */
export function stalledNs(index: RoundIndex, span: Span, worker: number): number {
  const stalls = faultWindows(index).filter((window) => isStall(window) && reachesWorker(window, worker));
  return coveredNs(span, stalls);
}
