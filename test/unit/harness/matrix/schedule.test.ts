import { expect, test } from "vitest";
import type { Cell } from "../../../../harness/matrix/cell.ts";
import { inOrder } from "../../../../harness/matrix/order.ts";
import { runSideBySide } from "../../../../harness/matrix/side-by-side.ts";
import { weightOf } from "../../../../harness/matrix/weight.ts";
import { cellOf, lockOf, scenarioOf } from "./matrix-under-test.ts";

/** Scenarios of a whole matrix on two cores: length of the load, weight, and how long a cell of it took, s. */
const MEASURED: readonly [name: string, roundMs: number, weight: number, tookS: number][] = [
  ["outage", 22_500, 0.3, 25.5],
  ["article", 6_000, 1.5, 9.7],
  ["minority-primary", 6_000, 1, 12.3],
  ["same-key", 2_500, 1.5, 3.4],
  ["redis-stop", 3_000, 1, 4.5],
  ["rolling-deploy", 3_600, 1.5, 4.2],
  ["failover-lost-write", 4_000, 1, 6.6],
  ["delayed-delete", 3_000, 1, 4.1],
  ["pause-before-check", 3_000, 1, 4],
  ["pause-after-grant", 3_000, 1, 3.8],
  ["client-clock-step", 2_500, 1, 3.4],
  ["slow-job", 2_500, 1, 3.2],
  ["eviction", 2_000, 1, 3.1],
  ["flush", 2_000, 1, 3],
  ["release-races-renewal", 7_000, 2, 9],
  ["kill-holder", 2_000, 1, 2.8],
  ["late-reply-orphan", 2_000, 1, 3.1],
  ["reset-after-apply", 1_500, 1, 2.6],
  ["kill-between", 1_500, 1, 2.4],
  ["own-redelivery", 1_800, 1, 2.1],
  ["overrun-release", 2_500, 1, 3.1],
  ["late-replies", 1_500, 1, 2],
  ["script-flush", 1_500, 1, 1.8],
  ["reset-after-release", 1_500, 1, 1.8],
];
const CAPACITY = 8;

interface Played {
  /** When everything was over, s. */
  endS: number;
  /** Cells that ran at this moment. */
  runningAt(s: number): number;
  beganAt(cell: Cell): number[];
}

/** The scheduler on a clock of its own. `late` cells are to run once more. */
async function play(cells: readonly Cell[], tookS: (cell: Cell) => number, late = new Set<Cell>()): Promise<Played> {
  let nowS = 0;
  let over = false;
  const tries = new Map<Cell, number>();
  const spans: { cell: Cell; fromS: number; toS: number }[] = [];
  const ends: { atS: number; end(): void }[] = [];
  const all = runSideBySide(inOrder(cells), {
    capacity: () => CAPACITY,
    weightOf: (cell) => weightOf(cell, tries.get(cell) ?? 0, CAPACITY),
    signal: new AbortController().signal,
    run(cell) {
      const toS = nowS + tookS(cell);
      spans.push({ cell, fromS: nowS, toS });
      const tried = (tries.get(cell) ?? 0) + 1;
      tries.set(cell, tried);
      return new Promise((resolve) => {
        ends.push({ atS: toS, end: () => resolve(late.has(cell) && tried === 1 ? "again" : undefined) });
      });
    },
  }).then(() => {
    over = true;
  });
  for (;;) {
    for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
    const next = ends.sort((a, b) => a.atS - b.atS).shift();
    if (over || !next) break;
    nowS = next.atS;
    next.end();
  }
  await all;
  return {
    endS: nowS,
    runningAt: (s) => spans.filter(({ fromS, toS }) => fromS <= s && s < toS).length,
    beganAt: (cell) => spans.filter((span) => span.cell === cell).map(({ fromS }) => fromS),
  };
}

const locks = [
  ...Array.from({ length: 25 }, (_, index) => lockOf(`lock-${index}`)),
  ...Array.from({ length: 11 }, (_, index) => lockOf(`broken-${index}`, { family: "broken" })),
];
const cells = locks.flatMap((lock) =>
  MEASURED.map(([name, roundMs, weight]) =>
    cellOf(lock, scenarioOf(name, { weight, plan: () => ({ ...scenarioOf(name).plan(lock), roundMs }) })),
  ),
);
const tookS = ({ scenario }: Cell) => MEASURED.find(([name]) => name === scenario.name)![3];
/** No schedule can be shorter. */
const leastS = cells.reduce((sum, cell) => sum + weightOf(cell, 0, CAPACITY) * tookS(cell), 0) / CAPACITY;

test("a whole matrix takes little longer than its work, and ends without a long tail", async () => {
  const { endS, runningAt } = await play(cells, tookS);
  expect(endS).toBeLessThan(leastS * 1.1);
  expect(runningAt(endS - 30)).toBeGreaterThan(3);
});

test("one that hangs at a lock that is broken on purpose does not make it longer", async () => {
  const hanging = cells.find(({ lock, scenario }) => lock.name === "broken-10" && scenario.name === "same-key");
  const plain = await play(cells, tookS);
  const { endS } = await play(cells, (cell) => (cell === hanging ? 60 : tookS(cell)));
  expect(endS).toBeLessThan(plain.endS + 25);
});

test("what came late is run again soon, and not at the end", async () => {
  const late = new Set(cells.filter((_, index) => index % 40 === 7));
  const { endS, beganAt } = await play(cells, tookS, late);
  const waitedS = [...late].map((cell) => {
    const [first = 0, second = Number.POSITIVE_INFINITY] = beganAt(cell);
    return second - first - tookS(cell);
  });
  expect(Math.max(...waitedS)).toBeLessThan(30);
  expect(endS).toBeLessThan(leastS * 1.2);
});
