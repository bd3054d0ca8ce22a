import { invertTest, midRanks, type ShiftEstimate, twoSided } from "./permutation.ts";

/**
 * Wilcoxon's signed-rank test of paired differences, exact and two-sided. Zeros keep their ranks and have no sign
 * (Pratt 1959); with zeros and ties the distribution is that of all signs of the ranks that are there. None but zeros: 1.
 */
export function signedRankTest(differences: readonly number[]): number {
  const { ranks, positive } = signedRanks(differences);
  if (ranks.length === 0) return 1;
  const chances = sumsOfSubsets(ranks);
  return twoSided(chances, positive, (chances.length - 1) / 2);
}

/**
 * The Hodges-Lehmann estimate of the shift (the median of all means of two, each with itself too) and the interval that
 * belongs to the exact test.
 * @param level such as 0.05 for a 95 % interval
 */
export function hodgesLehmann(differences: readonly number[], level = 0.05): ShiftEstimate {
  const walsh: number[] = [];
  for (let i = 0; i < differences.length; i++) {
    for (let j = i; j < differences.length; j++) walsh.push((differences[i]! + differences[j]!) / 2);
  }
  return invertTest(walsh, (shift) => signedRankTest(differences.map((difference) => difference - shift)), level);
}

/** The smallest p that so many pairs can reach: all on one side. */
export function smallestSignedRankP(pairs: number): number {
  return pairs === 0 ? 1 : Math.min(1, 2 ** (1 - pairs));
}

/** Ranks of the differences that are not zero, doubled to be whole, and the sum of those of the positive ones. */
function signedRanks(differences: readonly number[]): { ranks: number[]; positive: number } {
  const all = midRanks(differences.map(Math.abs));
  const ranks: number[] = [];
  let positive = 0;
  for (const [index, difference] of differences.entries()) {
    if (difference === 0) continue;
    const doubled = 2 * all[index]!;
    ranks.push(doubled);
    if (difference > 0) positive += doubled;
  }
  return { ranks, positive };
}

/** Chance of each sum when every rank is in it or not, like the fall of a coin. */
function sumsOfSubsets(ranks: readonly number[]): Float64Array {
  const total = ranks.reduce((sum, rank) => sum + rank, 0);
  const chances = new Float64Array(total + 1);
  chances[0] = 1;
  let reach = 0;
  for (const rank of ranks) {
    reach += rank;
    for (let sum = reach; sum >= 0; sum--) {
      chances[sum] = (chances[sum]! + (sum >= rank ? chances[sum - rank]! : 0)) / 2;
    }
  }
  return chances;
}
