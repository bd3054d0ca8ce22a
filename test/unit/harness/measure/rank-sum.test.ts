import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rankSumTest, shiftBetween, smallestRankSumP } from "../../../../harness/measure/rank-sum.ts";

/** The definition: every way to deal the pooled values to two samples, counted one by one. */
function byCounting(first: readonly number[], second: readonly number[]): number {
  const pooled = [...first, ...second];
  const rank = (value: number) =>
    pooled.filter((other) => other < value).length + (pooled.filter((other) => other === value).length + 1) / 2;
  const middle = (first.length * (pooled.length + 1)) / 2;
  const distance = (sum: number) => Math.abs(sum - middle) + 1e-9;
  const observed = first.reduce((sum, value) => sum + rank(value), 0);
  let [extreme, all] = [0, 0];
  for (let deal = 0; deal < 2 ** pooled.length; deal++) {
    const chosen = pooled.filter((_, index) => (deal >> index) & 1);
    if (chosen.length !== first.length) continue;
    all++;
    if (distance(chosen.reduce((sum, value) => sum + rank(value), 0)) >= distance(observed) - 1e-6) extreme++;
  }
  return extreme / all;
}

const values = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 5 });

describe("the rank-sum test", () => {
  it("gives the p of published examples", () => {
    // Hollander and Wolfe, example 4.1 (permeability at term and before): W = 30, two-sided p = 0.254.
    const term = [0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
    const before = [1.15, 0.88, 0.9, 0.74, 1.21];
    expect(rankSumTest(term, before)).toBeCloseTo(0.2544, 3);
    expect(rankSumTest([1, 2, 3], [4, 5, 6])).toBeCloseTo(0.1, 10);
    expect([smallestRankSumP(3, 3), smallestRankSumP(6, 6)]).toEqual([0.1, 2 / 924]);
  });

  it("is the share of all deals that are as extreme, ties included", () => {
    fc.assert(
      fc.property(values, values, (first, second) => {
        expect(rankSumTest(first, second)).toBeCloseTo(byCounting(first, second), 9);
      }),
    );
  });

  it("does not care which sample comes first", () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(rankSumTest(a, b)).toBeCloseTo(rankSumTest(b, a), 10);
      }),
    );
  });

  it("finds nothing in nothing", () => {
    expect([rankSumTest([], [1]), rankSumTest([1], [])]).toEqual([1, 1]);
  });
});

describe("the shift between two samples", () => {
  it("holds exactly the shifts that the test does not refuse", () => {
    const sample = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 5, maxLength: 8 });
    fc.assert(
      fc.property(sample, sample, (first, second) => {
        const { lo, hi } = shiftBetween(first, second);
        const p = (shift: number) =>
          rankSumTest(
            first,
            second.map((value) => value - shift),
          );
        expect(p(lo - 0.3)).toBeLessThanOrEqual(0.05);
        expect(p(hi + 0.3)).toBeLessThanOrEqual(0.05);
        if (hi - lo > 1) expect(Math.min(p(lo + 0.3), p(hi - 0.3))).toBeGreaterThan(0.05);
      }),
    );
  });

  it("finds a shift of the whole sample", () => {
    const first = [1, 2, 3, 4, 5, 6, 7, 8];
    const second = first.map((value) => value + 10);
    expect(shiftBetween(first, second).estimate).toBe(10);
  });
});
