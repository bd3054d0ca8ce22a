import { describe, expect, test } from "vitest";
import { clusterBootstrapInterval } from "../../../../harness/measure/bootstrap.ts";
import { regularisedBeta, upperBound95, wilsonInterval } from "../../../../harness/measure/intervals.ts";
import { rateOverRounds } from "../../../../harness/measure/rates.ts";

describe("upper bound", () => {
  test("none seen in the article's 72 hours bounds the rate at 5.8e-7", () => {
    expect(upperBound95(0, 5_184_000)).toBeCloseTo(5.779e-7, 10);
    expect(upperBound95(0, 5_184_000)).toBeCloseTo(1 - 0.05 ** (1 / 5_184_000), 12);
  });

  test("some seen: the exact one-sided bound, that is, so few have probability 0.05 under it", () => {
    // Known: 5 of 100 is bounded by 10.225 %, 1 of 20 by 21.611 %.
    expect(upperBound95(5, 100)).toBeCloseTo(0.10225, 4);
    expect(upperBound95(1, 20)).toBeCloseTo(0.21611, 4);
    for (const [seen, n] of [
      [1, 50],
      [7, 30],
      [40, 1000],
    ] as const) {
      expect(binomialUpTo(seen, n, upperBound95(seen, n))).toBeCloseTo(0.05, 8);
    }
  });

  test("nothing tried, or all seen: nothing is excluded", () => {
    expect(upperBound95(0, 0)).toBe(1);
    expect(upperBound95(3, 3)).toBe(1);
  });
});

/** P(X <= seen) of a binomial, summed term by term. */
function binomialUpTo(seen: number, n: number, p: number): number {
  let term = (1 - p) ** n;
  let sum = term;
  for (let k = 0; k < seen; k += 1) {
    term *= ((n - k) / (k + 1)) * (p / (1 - p));
    sum += term;
  }
  return sum;
}

test("the regularised beta function at known points", () => {
  expect(regularisedBeta(0.5, 2, 2)).toBeCloseTo(0.5, 12);
  expect(regularisedBeta(0.3, 1, 1)).toBeCloseTo(0.3, 12);
  expect(regularisedBeta(0.2, 2, 5)).toBeCloseTo(0.34464, 5);
});

test("Wilson's interval at known points", () => {
  const [lower, upper] = wilsonInterval(10, 100);
  expect(lower).toBeCloseTo(0.0552, 4);
  expect(upper).toBeCloseTo(0.1744, 4);
  expect(wilsonInterval(0, 10)[0]).toBe(0);
  expect(wilsonInterval(10, 10)[1]).toBe(1);
  expect(wilsonInterval(0, 0)).toEqual([0, 1]);
});

describe("rate over rounds", () => {
  const rounds = [
    { seen: 12, n: 100 },
    { seen: 9, n: 110 },
    { seen: 15, n: 90 },
  ];

  test("drawn by whole rounds: the interval lies within the rounds' own rates, and holds the rate", () => {
    const { rate, interval } = rateOverRounds(rounds, { seed: 7 });
    expect(rate).toBeCloseTo(36 / 300, 12);
    expect(interval[0]).toBeGreaterThanOrEqual(9 / 110);
    expect(interval[0]).toBeLessThanOrEqual(rate);
    expect(interval[1]).toBeLessThanOrEqual(15 / 90);
    expect(interval[1]).toBeGreaterThanOrEqual(rate);
  });

  test("the same seed gives the same interval", () => {
    expect(clusterBootstrapInterval(rounds, { seed: 7 })).toEqual(clusterBootstrapInterval(rounds, { seed: 7 }));
  });

  test("when all fell into one round, the interval reaches down to zero", () => {
    const { interval } = rateOverRounds([{ seen: 30, n: 100 }, ...Array(5).fill({ seen: 0, n: 100 })], { seed: 1 });
    expect(interval[0]).toBe(0);
    expect(interval[1]).toBeGreaterThan(0.05);
  });

  test("none seen, one round, no rounds", () => {
    expect(rateOverRounds([{ seen: 0, n: 299 }], { seed: 1 }).interval).toEqual([0, upperBound95(0, 299)]);
    expect(rateOverRounds([{ seen: 10, n: 100 }], { seed: 1 }).interval).toEqual(wilsonInterval(10, 100));
    expect(rateOverRounds([], { seed: 1 })).toEqual({ rate: 0, interval: [0, 1] });
  });
});
