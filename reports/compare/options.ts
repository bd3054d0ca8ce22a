/** Which metric a threshold is for: `acquire.p99`, or `p99` for those of every latency. */
export type Thresholds = Readonly<Record<string, number>>;

export interface CompareOptions {
  /** True: rounds with one number were run side by side (`compare --run`), else two stored results. */
  paired: boolean;
  /** Rounds to leave out at the start of both, as warm-up. */
  warmupRounds?: number;
  /** Relative sizes from which a change counts, 0.05 for 5 %; laid over the defaults. */
  thresholds?: Thresholds;
  /** Lets unpaired results fail on performance. */
  gateUnpaired?: boolean;
  /** True: inconclusive is no success. */
  strict?: boolean;
  /** Compares although the results are not comparable. */
  force?: boolean;
}

const defaultThresholds: Thresholds = {
  p50: 0.05,
  p90: 0.1,
  p99: 0.1,
  achieved: 0.05,
  cycles: 0.05,
  schedules: 0.05,
  benchmark: 0.05,
};

/** What a threshold may be set for. */
export const thresholdNames: readonly string[] = [
  ...Object.keys(defaultThresholds),
  ...["acquire", "response"].flatMap((kind) => ["p50", "p90", "p99"].map((percentile) => `${kind}.${percentile}`)),
];

/** A change of a latency below this is no change that matters, ms. */
export const latencyFloorMs = 0.05;

/** Level of the tests, over all gated metrics together. */
export const level = 0.05;

/** The threshold of a metric: the fullest name that is set wins. */
export function thresholdOf(metric: string, own: Thresholds = {}): number {
  const last = metric.split(".").at(-1) ?? metric;
  return own[metric] ?? own[last] ?? defaultThresholds[metric] ?? defaultThresholds[last] ?? 0.05;
}
