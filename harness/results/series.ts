import { quantile, sorted } from "../measure/quantiles.ts";
import type { SeriesPoint } from "./lock-schema.ts";
import { plannedArrivalsNs, type RoundFacts } from "./round-facts.ts";

/** The step of the series of an arm with this much load in all: 100 ms up to a minute, then 1 s, and more for hours. */
export function seriesStepMs(loadMs: number): number {
  const steps = [100, 1_000, 10_000, 60_000, 600_000];
  return steps.find((step) => loadMs / step <= POINTS) ?? 3_600_000;
}

/** So many points a chart can show, and a result can hold. */
const POINTS = 600;

/** What happened in each step of a round, from the start of the load to the last thing that happened. */
export function seriesOf(facts: RoundFacts, stepMs: number): SeriesPoint[] {
  const { round, loadStartNs, loadNs } = facts;
  const stepOf = (atNs: number) => Math.max(0, Math.floor((atNs - loadStartNs) / 1e6 / stepMs));
  const offered = tally(plannedArrivalsNs(facts.index), stepOf);
  const achieved = tally(facts.completedNs, stepOf);
  const duplicates = tally(facts.repeatedNs, stepOf);
  const acquires = new Map<number, number[]>();
  for (const { atNs, tookNs } of facts.acquires) {
    const step = stepOf(atNs);
    const values = acquires.get(step);
    if (values) values.push(tookNs);
    else acquires.set(step, [tookNs]);
  }
  const lastOfLoad = Math.ceil(loadNs / 1e6 / stepMs) - 1;
  const last = Math.max(lastOfLoad, ...[offered, achieved, duplicates, acquires].flatMap((map) => [...map.keys()]));
  return Array.from({ length: last + 1 }, (_, step) => ({
    atMs: step * stepMs,
    round,
    offered: offered.get(step) ?? 0,
    achieved: achieved.get(step) ?? 0,
    duplicates: duplicates.get(step) ?? 0,
    ...acquireBand(acquires.get(step) ?? []),
  }));
}

function tally(times: readonly number[], stepOf: (atNs: number) => number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const atNs of times) counts.set(stepOf(atNs), (counts.get(stepOf(atNs)) ?? 0) + 1);
  return counts;
}

type Band = Pick<SeriesPoint, "acquireP50Ms" | "acquireP90Ms" | "acquireP99Ms" | "acquireMaxMs">;

function acquireBand(tookNs: readonly number[]): Band {
  const values = sorted(tookNs);
  const at = (share: number) => {
    const value = quantile(values, share);
    return value === null ? null : value / 1e6;
  };
  return { acquireP50Ms: at(0.5), acquireP90Ms: at(0.9), acquireP99Ms: at(0.99), acquireMaxMs: at(1) };
}
