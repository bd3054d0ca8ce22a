import { latencyAtPercentiles } from "../../../harness/measure/histogram.ts";
import type { Latency } from "../../../harness/results/lock-schema.ts";

export interface CurvePoint {
  /** 0 to 1. */
  share: number;
  ms: number;
}

const points = 140;

/**
 * The curve of a latency's percentiles, up to its maximum, its points evenly spaced on the axis of HdrHistogram. Without
 * a readable histogram: the percentiles that the result gives.
 */
export function percentileCurve(latency: Latency): CurvePoint[] {
  const reach = Math.log10(latency.count + 1);
  const shares = Array.from({ length: points + 1 }, (_, index) => 1 - 10 ** (-reach * (index / points)));
  return fromHistogram(latency.hdr, shares) ?? fromFigures(latency);
}

function fromHistogram(hdr: string, shares: readonly number[]): CurvePoint[] | undefined {
  if (hdr === "") return undefined;
  try {
    const values = latencyAtPercentiles(
      hdr,
      shares.map((share) => share * 100),
    );
    if (values.length === 0) return undefined;
    return withoutRepeats(values.map(({ valueMs }, index) => ({ share: shares[index] ?? 0, ms: valueMs })));
  } catch {
    // A histogram of another make or a damaged one: the figures beside it still hold.
    return undefined;
  }
}

/** Of points of one height the first and the last are enough. */
function withoutRepeats(curve: readonly CurvePoint[]): CurvePoint[] {
  return curve.filter(
    ({ ms }, index) =>
      index === 0 || index === curve.length - 1 || ms !== curve[index - 1]?.ms || ms !== curve[index + 1]?.ms,
  );
}

function fromFigures({ p50Ms, p90Ms, p99Ms, p999Ms, maxMs, count }: Latency): CurvePoint[] {
  const last = 1 - 1 / (count + 1);
  const known: [number, number | null][] = [
    [0, p50Ms],
    [0.5, p50Ms],
    [0.9, p90Ms],
    [0.99, p99Ms],
    [0.999, p999Ms],
    [last, maxMs],
  ];
  return known
    .filter((point): point is [number, number] => point[1] !== null && point[0] <= last)
    .map(([share, ms]) => ({ share, ms }));
}
