/** Samples a round needs before a percentile of it is compared. */
export const SAMPLES_FOR = { p50: 100, p90: 100, p99: 1000 } as const;

export interface GatedArm {
  /** Smallest number in any round. A closed loop has no responses. */
  acquiresPerRound: number;
  responsesPerRound: number;
}

/** How many metrics a comparison would gate: p50, p90, p99 of acquire and response, and the throughput. */
export function gatedMetrics(arms: readonly GatedArm[]): number {
  const percentiles = (samples: number) => Object.values(SAMPLES_FOR).filter((needed) => samples >= needed).length;
  return arms.reduce(
    (sum, { acquiresPerRound, responsesPerRound }) =>
      sum + percentiles(acquiresPerRound) + percentiles(responsesPerRound) + 1,
    0,
  );
}

/**
 * The fewest pairs of rounds with which any of `gated` metrics can come out significant: the smallest n with
 * gated x 2^(1-n) <= 0.05, since 2^(1-n) is the smallest p of the exact two-sided signed-rank test, times Holm's first factor.
 */
export function roundsForComparison(gated: number): number {
  let rounds = 1;
  while (gated * 2 ** (1 - rounds) > 0.05) rounds += 1;
  return rounds;
}
