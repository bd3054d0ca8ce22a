/**
 * The order of the arms in each round, as indices. Two arms alternate ABBA; more follow a balanced Latin square, in which
 * every arm stands at every place, and before and after every other, equally often
 * (E. J. Williams, Australian Journal of Scientific Research A 2, 1949).
 */
export function balancedOrders(arms: number, rounds: number): number[][] {
  const square = williamsSquare(arms);
  return Array.from({ length: rounds }, (_, round) => [...(square[round % square.length] ?? [])]);
}

function williamsSquare(arms: number): number[][] {
  const zigzag = Array.from({ length: arms }, (_, place) =>
    place % 2 === 1 ? (place + 1) / 2 : (arms - place / 2) % arms,
  );
  const rows = Array.from({ length: arms }, (_, shift) => zigzag.map((arm) => (arm + shift) % arms));
  // An odd number of arms is balanced only together with the mirrored square.
  return arms % 2 === 0 || arms === 1 ? rows : [...rows, ...rows.map((row) => row.toReversed())];
}
