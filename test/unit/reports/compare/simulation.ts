import { randomLcg, randomNormal } from "d3-random";
import { judgeMetrics, type MetricPair } from "../../../../reports/compare/judge.ts";
import type { CompareOptions } from "../../../../reports/compare/options.ts";
import type { MetricSeries } from "../../../../reports/compare/series.ts";

// Simulated machines, seeded. A family is one comparison of seven metrics; it raises a false alarm when any of them comes
// out significant although nothing changed.
export const metricNames = [
  "acquire.p50",
  "acquire.p90",
  "acquire.p99",
  "response.p50",
  "response.p90",
  "response.p99",
  "achieved",
];

export interface Machine {
  random: () => number;
  /** Deviation of the weather that rounds near each other share, and of their own noise, of the logarithm. */
  weather: number;
  noise: number;
}

/** Rounds of base and head in the order in which they run: in turns, or one side after the other. */
export function family(
  { random, weather, noise }: Machine,
  rounds: number,
  order: "turns" | "blocks",
  change = 0,
): MetricPair[] {
  const normal = randomNormal.source(random)();
  let drift = 0;
  // Weather changes slowly: an autoregressive walk over the slots of time.
  const slots = Array.from({ length: 2 * rounds }, () => {
    drift = 0.9 * drift + Math.sqrt(1 - 0.81) * normal();
    return drift * weather;
  });
  const slotOf = (side: 0 | 1, round: number) => {
    if (order === "blocks") return side * rounds + round;
    const turned = round % 2 === 1;
    return 2 * round + (turned ? 1 - side : side);
  };
  return metricNames.map((metric, index) => {
    const series = (side: 0 | 1): MetricSeries => ({
      group: "lock",
      metric,
      name: metric,
      unit: "ms",
      better: metric === "achieved" ? "higher" : "lower",
      gated: true,
      floor: 0,
      rounds: new Map(
        Array.from({ length: rounds }, (_, round) => {
          const share = 0.6 + 0.1 * index;
          const value =
            (slots[slotOf(side, round)] ?? 0) * share + noise * normal() + (side === 1 ? Math.log1p(change) : 0);
          return [round + 1, 5 * Math.exp(value)];
        }),
      ),
    });
    return { base: series(0), head: series(1) };
  });
}

/** The share of families with an alarm. */
export function alarms(
  families: number,
  make: (random: () => number) => MetricPair[],
  options: CompareOptions,
): number {
  const random = randomLcg(0.42);
  let count = 0;
  for (let run = 0; run < families; run++) {
    const { metrics } = judgeMetrics(make(random), options);
    if (metrics.some(({ pAdjusted }) => (pAdjusted ?? 1) < 0.05)) count++;
  }
  return count / families;
}

// With thresholds of nothing the tests stand alone: what they hold must not come from the thresholds.
export const bare: CompareOptions = {
  paired: true,
  thresholds: Object.fromEntries(metricNames.map((name) => [name, 1e-9])),
};
