import { describe, expect, test } from "vitest";
import { cellsOf } from "../../../../harness/matrix/cells.ts";
import { lockOf, scenarioOf } from "./matrix-under-test.ts";

const locks = [lockOf("a"), lockOf("b", { missing: "it needs c" }), lockOf("d(x=1)")];
const scenarios = [
  scenarioOf("one"),
  scenarioOf("two", { notApplicable: ({ name }) => (name === "a" ? "it is not for a" : undefined) }),
];
const shape = { locks, scenarios, repeat: 2, seed: 1 };

describe("the cells of a matrix", () => {
  test("are those that apply, each as often as asked, with names for their folders", () => {
    expect(cellsOf(shape).map(({ id }) => id)).toEqual([
      "a~one~1",
      "a~one~2",
      "d-x-1-~one~1",
      "d-x-1-~one~2",
      "d-x-1-~two~1",
      "d-x-1-~two~2",
    ]);
  });

  test("give every lock the same seed in a scenario, and each repetition another", () => {
    const [first, second, other] = cellsOf(shape);
    expect(other?.seed).toBe(first?.seed);
    expect(second?.seed).not.toBe(first?.seed);
    expect(cellsOf({ ...shape, seed: 2 })[0]?.seed).not.toBe(first?.seed);
  });

  test("keep their seed when they are asked for alone", () => {
    const alone = cellsOf({ ...shape, locks: [locks[2]!], scenarios: [scenarios[1]!], repeat: 1 });
    expect(alone.map(({ seed }) => seed)).toEqual([cellsOf(shape)[4]?.seed]);
  });

  test("are split into shards that are the whole together, and have nothing in common", () => {
    const parts = [0, 1, 2].map((index) => cellsOf({ ...shape, shard: { index, count: 3 } }).map(({ id }) => id));
    expect(parts.flat().sort()).toEqual(
      cellsOf(shape)
        .map(({ id }) => id)
        .sort(),
    );
    expect(parts.map((part) => part.length)).toEqual([2, 2, 2]);
  });

  test("two locks that would share a folder get one each", () => {
    const ids = cellsOf({ ...shape, locks: [lockOf("m(a=1)"), lockOf("m(a:1)")], repeat: 1 }).map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
  });
});
