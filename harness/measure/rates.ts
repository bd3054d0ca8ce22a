import { type Cluster, clusterBootstrapInterval } from "./bootstrap.ts";
import { type Interval, upperBound95, wilsonInterval } from "./intervals.ts";

export interface Rate {
  /** 0 to 1; 0 of nothing. */
  rate: number;
  /** 95 %: by rounds when any were seen; with none seen, 0 and the one-sided upper bound. */
  interval: Interval;
}

/** The rate over rounds, with its interval. A single round has no clusters to draw from: Wilson's interval then. */
export function rateOverRounds(rounds: readonly Cluster[], { seed }: { seed: number }): Rate {
  const seen = rounds.reduce((sum, round) => sum + round.seen, 0);
  const n = rounds.reduce((sum, round) => sum + round.n, 0);
  const rate = n === 0 ? 0 : seen / n;
  if (seen === 0) return { rate, interval: [0, upperBound95(0, n)] };
  if (rounds.length === 1) return { rate, interval: wilsonInterval(seen, n) };
  const [lower, upper] = clusterBootstrapInterval(rounds, { seed });
  return { rate, interval: [Math.min(lower, rate), Math.max(upper, rate)] };
}
