import type { HistoryEvent } from "../contracts/history.ts";
import type { LockPlan } from "../contracts/lock-plan.ts";
import type { RoundIndex } from "./round-index.ts";
import { coveredNs } from "./spans.ts";
import { faultWindows, isStall, reachesWorker } from "./windows.ts";

/** A job that lay in the queue, for any worker to take, from this time to its first delivery. */
export interface QueuedJob {
  job: string;
  sinceNs: number;
}

/**
 * The jobs of which it is known that any worker might have taken them. A queue hands a job to one worker, whether that one
 * can take it in or not; for the others it is gone then until the visibility timeout, and nothing in the history says so
 * before its worker does. So these are left out:
 * - a job whose first delivery that was written down is not its first: its worker ended before it could write;
 * - a job whose first worker was held up by a fault while it waited: it may have been that worker's all the time.
 *
 * One that never came to be delivered may have been handed to a worker that never said so, and is anybody's again after the
 * visibility timeout.
 */
export function jobsInTheQueue(index: RoundIndex, { visibilityMs }: LockPlan): QueuedJob[] {
  const first = firstDeliveries(index);
  const stalls = faultWindows(index).filter(isStall);
  return [...index.arrivals].flatMap(([job, { end }]): QueuedJob[] => {
    if (end?.phase !== "ok") return [];
    const delivery = first.get(job);
    if (!delivery) return [{ job, sinceNs: end.atNs + visibilityMs * 1e6 }];
    if ((delivery.attempt ?? 1) > 1 || delivery.outcome === "redelivered") return [];
    const held = stalls.filter((window) => reachesWorker(window, delivery.worker));
    const wait = { startNs: end.atNs, endNs: delivery.atNs };
    return coveredNs(wait, held) > 0 ? [] : [{ job, sinceNs: end.atNs }];
  });
}

function firstDeliveries(index: RoundIndex): Map<string, HistoryEvent> {
  const first = new Map<string, HistoryEvent>();
  for (const { job, deliver } of index.executions.values()) {
    if (job === undefined || !deliver) continue;
    const known = first.get(job);
    if (!known || deliver.atNs < known.atNs) first.set(job, deliver);
  }
  return first;
}
