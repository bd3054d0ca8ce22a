/** Ranks from 1; equal values share the middle of their ranks. */
export function midRanks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => values[a]! - values[b]!);
  const ranks = new Array<number>(values.length).fill(0);
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && values[order[end]!] === values[order[start]!]) end++;
    for (let at = start; at < end; at++) ranks[order[at]!] = (start + 1 + end) / 2;
    start = end;
  }
  return ranks;
}

/**
 * Two-sided p of a statistic: the share of outcomes at least as far from its mean as the one observed.
 * @param chances chance of each value of the statistic, by index
 */
export function twoSided(chances: ArrayLike<number>, observed: number, mean: number): number {
  const distance = Math.abs(observed - mean);
  let share = 0;
  for (let value = 0; value < chances.length; value++) if (Math.abs(value - mean) >= distance) share += chances[value]!;
  return Math.min(1, share);
}

/** The median; of an even number the middle of the two. */
export function medianOf(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length >>> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

export interface ShiftEstimate {
  estimate: number;
  /** Interval of the shifts that the test does not refuse at the level; infinite where the samples are too few. */
  lo: number;
  hi: number;
}

/**
 * The interval that belongs to a rank test: all shifts that it does not refuse. Its p changes only at the `steps` (the
 * Walsh averages, or the differences of all pairs), is highest in their middle and falls towards both ends.
 * @param pAt p of the test when the samples are shifted back by so much
 */
export function invertTest(steps: readonly number[], pAt: (shift: number) => number, level: number): ShiftEstimate {
  const estimate = medianOf(steps);
  const sorted = [...new Set(steps)].sort((a, b) => a - b);
  const [first, last] = [sorted[0]!, sorted.at(-1)!];
  if (pAt(first - (last - first + 1)) > level) {
    return { estimate, lo: Number.NEGATIVE_INFINITY, hi: Number.POSITIVE_INFINITY };
  }
  const accepted = (gap: number) =>
    gap >= 0 && gap + 1 < sorted.length && pAt((sorted[gap]! + sorted[gap + 1]!) / 2) > level;
  const below = sorted.findLastIndex((step) => step <= estimate);
  const start = [below, below - 1].find(accepted);
  if (start === undefined) return { estimate, lo: estimate, hi: estimate };
  const lowest = furthest(start, -1, accepted);
  const highest = furthest(start, sorted.length, accepted);
  return { estimate, lo: sorted[lowest]!, hi: sorted[highest + 1]! };
}

/** The last accepted gap on the way from an accepted one to one beyond the end. */
function furthest(accepted: number, refused: number, isAccepted: (gap: number) => boolean): number {
  let [inside, outside] = [accepted, refused];
  while (Math.abs(outside - inside) > 1) {
    const middle = (inside + outside) >> 1;
    if (isAccepted(middle)) inside = middle;
    else outside = middle;
  }
  return inside;
}
