import type { Cell } from "./cell.ts";

/** Locks whose cells run beside each other. */
const LANES = 6;

/**
 * The order in which cells begin: some locks at a time, turn by turn, so that the worker processes of one cell are there
 * for the next one of their lock, and few of each lock are enough. Of a lock what takes longest comes first, so that no
 * core idles at the end, and the rest at another place in each lane, so that few cells in need of the same servers come
 * together, or that take much of the machine. Locks that are broken on purpose come before all others: they are the ones
 * that hang, and what takes unforeseen long may not begin last.
 */
export function inOrder(cells: readonly Cell[]): Cell[] {
  const all = [...new Set(cells.map(({ lock }) => lock))];
  const isBroken = ({ family }: Cell["lock"]) => family === "broken";
  const locks = [...all.filter(isBroken), ...all.filter((lock) => !isBroken(lock))];
  const lists = locks.map((lock) => longestFirst(cells.filter((cell) => cell.lock === lock)));
  const lanes = lists.map((list, index) => shifted(list, (index % LANES) / LANES));
  const groups = Array.from({ length: Math.ceil(lanes.length / LANES) }, (_, group) =>
    lanes.slice(group * LANES, (group + 1) * LANES),
  );
  return groups.flatMap(turnByTurn);
}

function longestFirst(cells: readonly Cell[]): Cell[] {
  const length = ({ lock, scenario }: Cell) => scenario.plan(lock).roundMs;
  return [...cells].sort((a, b) => length(b) - length(a));
}

/** All but the first begin at a part of the list, and go round. */
function shifted([first, ...rest]: readonly Cell[], part: number): Cell[] {
  if (first === undefined) return [];
  const from = Math.floor(rest.length * part);
  return [first, ...rest.slice(from), ...rest.slice(0, from)];
}

function turnByTurn(lanes: readonly (readonly Cell[])[]): Cell[] {
  const turns = Math.max(0, ...lanes.map(({ length }) => length));
  return Array.from({ length: turns }, (_, turn) => lanes.flatMap((lane) => lane[turn] ?? [])).flat();
}
