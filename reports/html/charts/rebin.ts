import type { ArmResult, SeriesPoint } from "../../../harness/results/lock-schema.ts";

export interface Binned {
  points: SeriesPoint[];
  stepMs: number;
}

/**
 * A series in at most `most` steps over all rounds. Counts add up. Quantiles do not merge: of the steps that become
 * one, the median of the P50 and the highest of the others stand for it, so that nothing looks better than it was.
 */
export function rebin(arm: Pick<ArmResult, "series" | "seriesStepMs">, most: number): Binned {
  const rounds = new Set(arm.series.map(({ round }) => round)).size;
  const lastMs = arm.series.reduce((latest, { atMs }) => Math.max(latest, atMs), 0) + arm.seriesStepMs;
  const perRound = Math.max(1, Math.floor(most / Math.max(1, rounds)));
  const factor = Math.max(1, Math.ceil(lastMs / arm.seriesStepMs / perRound));
  const stepMs = niceFactor(factor) * arm.seriesStepMs;
  const groups = new Map<string, SeriesPoint[]>();
  for (const point of arm.series) {
    const place = `${point.round}:${Math.floor(point.atMs / stepMs)}`;
    const group = groups.get(place);
    if (group === undefined) groups.set(place, [point]);
    else group.push(point);
  }
  return { points: [...groups.values()].map((group) => merge(group, stepMs)), stepMs };
}

function merge(group: readonly SeriesPoint[], stepMs: number): SeriesPoint {
  const [first] = group;
  if (first === undefined) throw new Error("A group of a series is never empty.");
  const total = (pick: (point: SeriesPoint) => number) => group.reduce((sum, point) => sum + pick(point), 0);
  const highest = (pick: (point: SeriesPoint) => number | null) =>
    reduceKnown(group.map(pick), (values) => Math.max(...values));
  return {
    atMs: Math.floor(first.atMs / stepMs) * stepMs,
    round: first.round,
    offered: total(({ offered }) => offered),
    achieved: total(({ achieved }) => achieved),
    duplicates: total(({ duplicates }) => duplicates),
    acquireP50Ms: reduceKnown(
      group.map(({ acquireP50Ms }) => acquireP50Ms),
      median,
    ),
    acquireP90Ms: highest(({ acquireP90Ms }) => acquireP90Ms),
    acquireP99Ms: highest(({ acquireP99Ms }) => acquireP99Ms),
    acquireMaxMs: highest(({ acquireMaxMs }) => acquireMaxMs),
  };
}

function reduceKnown(values: readonly (number | null)[], reduce: (known: number[]) => number): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : reduce(known);
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

/** 1, 2, 5, 10, 20, 50, ... */
function niceFactor(factor: number): number {
  for (let power = 1; ; power *= 10) {
    for (const step of [1, 2, 5]) if (step * power >= factor) return step * power;
  }
}
