/** The value below which a share of the sorted values lies: the smallest value with at least that share up to it. */
export function quantile(sorted: ArrayLike<number>, share: number): number | null {
  if (sorted.length === 0) return null;
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[Math.min(rank, sorted.length) - 1]!;
}

/** Values sorted ascending, as a new array that sorts fast. */
export function sorted(values: Iterable<number>): Float64Array {
  return Float64Array.from(values).sort();
}

/** The arithmetic mean; null of nothing. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
