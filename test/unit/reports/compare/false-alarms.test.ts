import { randomLcg, randomNormal } from "d3-random";
import { describe, expect, it } from "vitest";
import { judgeMetrics, type MetricPair } from "../../../../reports/compare/judge.ts";
import type { CompareOptions } from "../../../../reports/compare/options.ts";
import type { MetricSeries } from "../../../../reports/compare/series.ts";

// Simulated machines, seeded: the proof that the statistics keep what they promise. A family is one comparison of
// seven metrics; it raises a false alarm when any of them regresses although nothing changed.
const metricNames = [
  "acquire.p50",
  "acquire.p90",
  "acquire.p99",
  "response.p50",
  "response.p90",
  "response.p99",
  "achieved",
];

interface Machine {
  random: () => number;
  /** Deviation of the weather that rounds near each other share, and of their own noise, of the logarithm. */
  weather: number;
  noise: number;
}

/** Rounds of base and head in the order in which they run: in turns, or one side after the other. */
function family(
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

function alarms(families: number, make: (random: () => number) => MetricPair[], options: CompareOptions): number {
  const random = randomLcg(0.42);
  let count = 0;
  for (let run = 0; run < families; run++) {
    const { metrics } = judgeMetrics(make(random), options);
    if (metrics.some(({ pAdjusted }) => (pAdjusted ?? 1) < 0.05)) count++;
  }
  return count / families;
}

// With thresholds of nothing the tests stand alone: what they hold must not come from the thresholds.
const bare: CompareOptions = { paired: true, thresholds: Object.fromEntries(metricNames.map((name) => [name, 1e-9])) };

describe("comparisons of a configuration with itself", () => {
  it.each([
    { weather: 0.05, noise: 0.02 },
    { weather: 0.3, noise: 0.05 },
    { weather: 0, noise: 0.1 },
  ])(
    "in turns, with weather $weather and noise $noise, raise a false alarm in fewer than 5 % of families",
    (machine) => {
      const rate = alarms(1000, (random) => family({ random, ...machine }, 12, "turns"), bare);
      // 5 % and three standard errors of 1,000 families.
      expect(rate).toBeLessThan(0.05 + 3 * Math.sqrt((0.05 * 0.95) / 1000));
    },
  );

  it("one after the other raise many: that is why rounds are paired, and why unpaired results do not gate", () => {
    const rate = alarms(200, (random) => family({ random, weather: 0.3, noise: 0.05 }, 12, "blocks"), {
      ...bare,
      paired: false,
    });
    expect(rate).toBeGreaterThan(0.2);
  });
});

describe("a change that is there", () => {
  const power = (change: number, noise: number, rounds = 12) =>
    alarms(300, (random) => family({ random, weather: 0.1, noise }, rounds, "turns", change), bare);

  it("of 10 % in noise of 3 % is found nearly always", () => {
    expect(power(0.1, 0.03)).toBeGreaterThan(0.97);
  });

  it("of the noise's own size is found sometimes, of none hardly ever: the power grows with the change", () => {
    const [small, middle, large] = [power(0.02, 0.05), power(0.05, 0.05), power(0.12, 0.05)];
    expect(small).toBeLessThan(middle);
    expect(middle).toBeLessThan(large);
    expect(large).toBeGreaterThan(0.9);
  });

  it("cannot be found with fewer pairs than the minimum", () => {
    expect(power(3, 0.01, 8)).toBe(0);
    expect(power(3, 0.01, 9)).toBe(1);
  });
});
