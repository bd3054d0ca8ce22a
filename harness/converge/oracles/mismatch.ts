/**
 * Whether a multiset of these deltas, each taken at most once, adds up to `difference`. Counters have few known
 * operations; beyond 20 only the first 20 are tried.
 */
export function isSumOfSome(difference: number, deltas: readonly number[]): boolean {
  const reached = new Set([0]);
  for (const delta of deltas.slice(0, 20)) {
    for (const sum of [...reached]) reached.add(sum + delta);
    if (reached.size > 1 << 16) break;
  }
  return reached.has(difference) && difference !== 0;
}
