import { expect, test } from "vitest";
import { inOrder } from "../../../../harness/matrix/order.ts";
import { cellOf, lockOf, scenarioOf } from "./matrix-under-test.ts";

const scenario = (name: string, roundMs: number, weight?: number) =>
  scenarioOf(name, {
    plan: (lock) => ({ ...scenarioOf(name).plan(lock), roundMs }),
    ...(weight === undefined ? {} : { weight }),
  });

test("some locks turn by turn, of each the longest first", () => {
  const scenarios = [scenario("short", 1_000), scenario("long", 9_000), scenario("heavy", 2_000, 4)];
  const cells = [lockOf("a"), lockOf("b")].flatMap((lock) => scenarios.map((each) => cellOf(lock, each)));
  expect(inOrder(cells).map(({ id }) => id)).toEqual([
    ...["a~long~1", "b~long~1", "a~heavy~1", "b~heavy~1", "a~short~1", "b~short~1"],
  ]);
});

test("locks that are broken on purpose come first, since they are the ones that hang", () => {
  const locks = [
    ...["a", "b", "c", "d", "e", "f"].map((name) => lockOf(name)),
    ...["x", "y"].map((name) => lockOf(name, { family: "broken" })),
  ];
  const ordered = inOrder(locks.map((lock) => cellOf(lock, scenario("s", 1_000))));
  expect(ordered.slice(0, 2).map(({ lock }) => lock.name)).toEqual(["x", "y"]);
});

test("few cells in need of the same servers come together, and every cell comes once", () => {
  const scenarios = Array.from({ length: 13 }, (_, index) => scenario(`s${index}`, 2_000 - index));
  const locks = ["a", "b", "c", "d", "e", "f", "g"].map((name) => lockOf(name));
  const cells = locks.flatMap((lock) => scenarios.map((each) => cellOf(lock, each)));
  const ordered = inOrder(cells);
  expect(new Set(ordered)).toEqual(new Set(cells));
  expect(ordered).toHaveLength(cells.length);
  // Six lanes: each turn has a cell of every lane, after the first turn each of another scenario.
  const turn = (nth: number) => ordered.slice(nth * 6, nth * 6 + 6);
  expect(new Set(turn(3).map(({ lock }) => lock.name)).size).toBe(6);
  expect(new Set(turn(3).map((cell) => cell.scenario.name)).size).toBe(6);
  expect(ordered.slice(-13).every(({ lock }) => lock.name === "g")).toBe(true);
});
