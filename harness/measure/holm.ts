/** Holm's step-down adjustment: p-values that may be compared with one level although there are many. */
export function holm(ps: readonly number[]): number[] {
  const order = ps.map((_, index) => index).sort((a, b) => ps[a]! - ps[b]!);
  const adjusted = new Array<number>(ps.length).fill(1);
  let highest = 0;
  for (const [step, index] of order.entries()) {
    highest = Math.max(highest, Math.min(1, (ps.length - step) * ps[index]!));
    adjusted[index] = highest;
  }
  return adjusted;
}
