import type { Latency } from "../../../harness/results/lock-schema.ts";

export interface CurvePoint {
  /** 0 to 1. */
  share: number;
  ms: number;
}

/** The curve of a latency's percentiles, up to its maximum. */
export function percentileCurve(latency: Latency): CurvePoint[] {
  const { p50Ms, p90Ms, p99Ms, p999Ms, maxMs, count } = latency;
  const known: [number, number | null][] = [
    [0, p50Ms],
    [0.5, p50Ms],
    [0.9, p90Ms],
    [0.99, p99Ms],
    [0.999, p999Ms],
    [1 - 1 / (count + 1), maxMs],
  ];
  return known
    .filter((point): point is [number, number] => point[1] !== null && point[0] <= 1 - 1 / (count + 1))
    .map(([share, ms]) => ({ share, ms }));
}
