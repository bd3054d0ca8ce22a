import { invertTest, midRanks, type ShiftEstimate, twoSided } from "./permutation.ts";

/**
 * The Mann-Whitney test (Wilcoxon's rank-sum test) of two samples, exact and two-sided: the distribution is that of all
 * ways to deal the ranks that are there, ties included, to the two samples. An empty sample: 1.
 */
export function rankSumTest(first: readonly number[], second: readonly number[]): number {
  if (first.length === 0 || second.length === 0) return 1;
  const ranks = midRanks([...first, ...second]).map((rank) => 2 * rank);
  const observed = ranks.slice(0, first.length).reduce((sum, rank) => sum + rank, 0);
  const { chances, lowest } = dealsOf(ranks, first.length);
  return twoSided(chances, observed - lowest, first.length * (ranks.length + 1) - lowest);
}

/** The median of all differences second - first, and the interval that belongs to the exact test. */
export function shiftBetween(first: readonly number[], second: readonly number[], level = 0.05): ShiftEstimate {
  const differences = first.flatMap((a) => second.map((b) => b - a));
  return invertTest(
    differences,
    (shift) =>
      rankSumTest(
        first,
        second.map((value) => value - shift),
      ),
    level,
  );
}

/** The smallest p that two samples of these sizes can reach: one of them all below the other. */
export function smallestRankSumP(first: number, second: number): number {
  let deals = 1;
  for (let taken = 1; taken <= first; taken++) deals = (deals * (second + taken)) / taken;
  return Math.min(1, 2 / deals);
}

interface Deals {
  chances: Float64Array;
  lowest: number;
}

const withoutTies = new Map<string, Deals>();

/** Without ties the distribution depends on the sizes alone, and is worked out once. */
function dealsOf(ranks: readonly number[], size: number): Deals {
  if (new Set(ranks).size < ranks.length) return sumsOfDeals(ranks, size);
  const sizes = `${size} of ${ranks.length}`;
  const known = withoutTies.get(sizes) ?? sumsOfDeals(ranks, size);
  withoutTies.set(sizes, known);
  return known;
}

/** Chance of each sum of `size` ranks drawn without replacement, from the lowest possible sum on. */
function sumsOfDeals(ranks: readonly number[], size: number): Deals {
  const sorted = ranks.toSorted((a, b) => a - b);
  const sum = (part: readonly number[]) => part.reduce((total, rank) => total + rank, 0);
  const lowest = sum(sorted.slice(0, size));
  const highest = sum(sorted.slice(sorted.length - size));
  // ways[k][s]: how many ways to choose k of the ranks so far with sum s. Doubles are exact enough: only ratios count.
  const ways = Array.from({ length: size + 1 }, () => new Float64Array(highest + 1));
  ways[0]![0] = 1;
  for (const [seen, rank] of sorted.entries()) {
    for (let taken = Math.min(size, seen + 1); taken >= 1; taken--) {
      const [to, from] = [ways[taken]!, ways[taken - 1]!];
      for (let total = highest; total >= rank; total--) to[total]! += from[total - rank]!;
    }
  }
  const counts = ways[size]!.slice(lowest);
  const all = counts.reduce((total, count) => total + count, 0);
  return { chances: counts.map((count) => count / all), lowest };
}
