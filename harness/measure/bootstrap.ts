import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { Interval } from "./intervals.ts";
import { quantile, sorted } from "./quantiles.ts";

/** One round's share of a rate: `seen` of `n`. */
export interface Cluster {
  seen: number;
  n: number;
}

/**
 * A 95 % percentile interval of the rate over all rounds, by drawing whole rounds with replacement: one pause hits many
 * jobs of a round at once, so jobs are not independent, but rounds are. The same seed gives the same interval.
 * Needs two rounds at least; Efron and Tibshirani 1993.
 */
export function clusterBootstrapInterval(
  clusters: readonly Cluster[],
  { seed, draws = 2000 }: { seed: number; draws?: number },
): Interval {
  const random = xoroshiro128plus(seed);
  const rates = sorted(
    Array.from({ length: draws }, () => {
      let seen = 0;
      let n = 0;
      for (let drawn = 0; drawn < clusters.length; drawn += 1) {
        const cluster = clusters[uniformInt(random, 0, clusters.length - 1)]!;
        seen += cluster.seen;
        n += cluster.n;
      }
      return n === 0 ? 0 : seen / n;
    }),
  );
  return [quantile(rates, 0.025) ?? 0, quantile(rates, 0.975) ?? 1];
}
