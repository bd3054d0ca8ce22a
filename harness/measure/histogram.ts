import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  type Histogram,
  initWebAssemblySync,
} from "hdr-histogram-js";

/** A latency distribution as results hold it. `hdr`: HdrHistogram V2, compressed, base64, of values in ns. */
export interface LatencySummary {
  count: number;
  /** Percentiles in ms; null when there are no values. */
  p50Ms: number | null;
  p90Ms: number | null;
  p99Ms: number | null;
  p999Ms: number | null;
  maxMs: number | null;
  hdr: string;
}

/** 1 ns to 24 h; three significant digits, so that a value is off by at most 0.1 %. Longer values count as 24 h. */
const HISTOGRAM_RANGE = { lowestNs: 1, highestNs: 86_400e9, significantDigits: 3 } as const;

/** The distribution of durations in ns. */
export function summariseLatencies(valuesNs: Iterable<number>): LatencySummary {
  return withHistogram((histogram) => {
    for (const value of valuesNs) histogram.recordValue(clamp(value));
    return summaryOf(histogram);
  });
}

/** One distribution out of several, exact: nothing is lost but what each had rounded already. */
export function mergeLatencies(summaries: readonly Pick<LatencySummary, "hdr">[]): LatencySummary {
  return withHistogram((sum) => {
    for (const { hdr } of summaries) withDecoded(hdr, (part) => sum.add(part));
    return summaryOf(sum);
  });
}

/** Values at percentiles (0 to 100), in ms; empty when there are no values. */
export function latencyAtPercentiles(
  hdr: string,
  percentiles: readonly number[],
): { percentile: number; valueMs: number }[] {
  return withDecoded(hdr, (histogram) =>
    histogram.totalCount === 0
      ? []
      : percentiles.map((percentile) => ({ percentile, valueMs: histogram.getValueAtPercentile(percentile) / 1e6 })),
  );
}

function clamp(valueNs: number): number {
  return Math.min(HISTOGRAM_RANGE.highestNs, Math.max(0, Math.round(valueNs)));
}

function summaryOf(histogram: Histogram): LatencySummary {
  const empty = histogram.totalCount === 0;
  const at = (percentile: number) => (empty ? null : histogram.getValueAtPercentile(percentile) / 1e6);
  return {
    count: histogram.totalCount,
    p50Ms: at(50),
    p90Ms: at(90),
    p99Ms: at(99),
    p999Ms: at(99.9),
    maxMs: at(100),
    hdr: encodeIntoCompressedBase64(histogram),
  };
}

// The WebAssembly build records four times as fast. Its memory is not the garbage collector's: it is given back here.
function withHistogram<Value>(use: (histogram: Histogram) => Value): Value {
  initWebAssemblySync();
  const histogram = build({
    lowestDiscernibleValue: HISTOGRAM_RANGE.lowestNs,
    highestTrackableValue: HISTOGRAM_RANGE.highestNs,
    numberOfSignificantValueDigits: HISTOGRAM_RANGE.significantDigits,
    bitBucketSize: 64,
    autoResize: false,
    useWebAssembly: true,
  });
  try {
    return use(histogram);
  } finally {
    histogram.destroy();
  }
}

function withDecoded<Value>(hdr: string, use: (histogram: Histogram) => Value): Value {
  initWebAssemblySync();
  const histogram = decodeFromCompressedBase64(hdr, 64, true, HISTOGRAM_RANGE.highestNs);
  try {
    return use(histogram);
  } finally {
    histogram.destroy();
  }
}
