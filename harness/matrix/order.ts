import type { Cell } from "./cell.ts";

/** Cells of this weight and more take a good part of a machine. */
const HEAVY = 3;

/**
 * The order in which cells begin: what takes much of the machine before all else; then lock by lock, so that the worker
 * processes of one cell are there for the next; and of one lock what takes longest first, so that no core idles at the end.
 */
export function inOrder(cells: readonly Cell[]): Cell[] {
  const locks = [...new Set(cells.map(({ lock }) => lock))];
  const place = new Map(locks.map((lock, index) => [lock, index]));
  const light = ({ scenario }: Cell) => ((scenario.weight ?? 1) >= HEAVY ? 0 : 1);
  const length = ({ lock, scenario }: Cell) => scenario.plan(lock).roundMs;
  return [...cells].sort(
    (a, b) => light(a) - light(b) || place.get(a.lock)! - place.get(b.lock)! || length(b) - length(a),
  );
}
