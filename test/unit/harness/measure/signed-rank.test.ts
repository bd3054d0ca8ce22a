import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hodgesLehmann, signedRankTest, smallestSignedRankP } from "../../../../harness/measure/signed-rank.ts";

const sample = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 12 });

/** The definition: every way to give the ranks a sign, counted one by one. */
function byCounting(differences: readonly number[]): number {
  const sizes = differences.map(Math.abs);
  const rank = (size: number) => {
    const lower = sizes.filter((other) => other < size).length;
    const equal = sizes.filter((other) => other === size).length;
    return lower + (equal + 1) / 2;
  };
  const ranks = differences.filter((difference) => difference !== 0).map((difference) => rank(Math.abs(difference)));
  const middle = ranks.reduce((sum, one) => sum + one, 0) / 2;
  const positive = differences
    .filter((difference) => difference > 0)
    .reduce((sum, difference) => sum + rank(difference), 0);
  let extreme = 0;
  for (let signs = 0; signs < 2 ** ranks.length; signs++) {
    const sum = ranks.reduce((total, one, index) => total + ((signs >> index) & 1 ? one : 0), 0);
    if (Math.abs(sum - middle) >= Math.abs(positive - middle) - 1e-9) extreme++;
  }
  return extreme / 2 ** ranks.length;
}

describe("the signed-rank test", () => {
  it("gives the p of published examples", () => {
    // Wilcoxon 1945, Darwin's maize: W- = 24 of 15 pairs, two-sided p = 0.0413 in exact tables.
    const darwin = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];
    expect(signedRankTest(darwin)).toBeCloseTo(0.0413, 3);
    // All on one side: 2^(1-n).
    expect(signedRankTest([1, 2, 3, 4, 5, 6, 7, 8, 9])).toBe(2 ** -8);
    expect(smallestSignedRankP(9)).toBe(2 ** -8);
  });

  it("is the share of all signs that are as extreme, with zeros by Pratt and with ties", () => {
    fc.assert(
      fc.property(sample, (differences) => {
        expect(signedRankTest(differences)).toBeCloseTo(byCounting(differences), 10);
      }),
    );
  });

  it("does not care for the direction, the order or the scale", () => {
    fc.assert(
      fc.property(sample, (differences) => {
        const p = signedRankTest(differences);
        expect(signedRankTest(differences.map((one) => -one))).toBeCloseTo(p, 12);
        expect(signedRankTest(differences.toReversed())).toBeCloseTo(p, 12);
        expect(signedRankTest(differences.map((one) => one * 3))).toBeCloseTo(p, 12);
      }),
    );
  });

  it("finds nothing in nothing", () => {
    expect([signedRankTest([]), signedRankTest([0, 0, 0])]).toEqual([1, 1]);
  });
});

describe("the Hodges-Lehmann estimate", () => {
  it("has the interval of exact tables", () => {
    // n = 10, level 0.05: the 9th smallest and the 9th greatest Walsh average (Hollander and Wolfe, table A.4).
    const values = [1.1, 2.3, 2.9, 4.2, 5.6, 6.1, 7.7, 8.4, 9.9, 12.5];
    const walsh = values.flatMap((a, i) => values.slice(i).map((b) => (a + b) / 2)).sort((a, b) => a - b);
    const { estimate, lo, hi } = hodgesLehmann(values);
    expect(estimate).toBeCloseTo(((walsh[27] ?? 0) + (walsh[27] ?? 0)) / 2, 10);
    expect([lo, hi]).toEqual([walsh[8], walsh[walsh.length - 9]]);
  });

  it("holds exactly the shifts that the test does not refuse", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 6, maxLength: 12 }), (values) => {
        const { lo, hi } = hodgesLehmann(values);
        const p = (shift: number) => signedRankTest(values.map((value) => value - shift));
        expect(lo).toBeLessThanOrEqual(hi);
        expect(p(lo - 0.2)).toBeLessThanOrEqual(0.05);
        expect(p(hi + 0.2)).toBeLessThanOrEqual(0.05);
        if (hi - lo > 0.5) {
          expect(p(lo + 0.2)).toBeGreaterThan(0.05);
          expect(p(hi - 0.2)).toBeGreaterThan(0.05);
        }
      }),
    );
  });

  it("has no interval with too few pairs, and a point where all agree", () => {
    expect(hodgesLehmann([1, 2, 3, 4, 5])).toEqual({
      estimate: 3,
      lo: Number.NEGATIVE_INFINITY,
      hi: Number.POSITIVE_INFINITY,
    });
    expect(hodgesLehmann([2, 2, 2, 2, 2, 2, 2])).toEqual({ estimate: 2, lo: 2, hi: 2 });
  });
});
