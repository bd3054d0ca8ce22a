import { expect, test } from "vitest";
import { inOrder } from "../../../../harness/matrix/order.ts";
import { cellOf, lockOf, scenarioOf } from "./matrix-under-test.ts";

test("heavy cells come first, then lock by lock, of each the longest first", () => {
  const scenario = (name: string, roundMs: number, weight?: number) =>
    scenarioOf(name, {
      plan: (lock) => ({ ...scenarioOf(name).plan(lock), roundMs }),
      ...(weight === undefined ? {} : { weight }),
    });
  const scenarios = [scenario("short", 1_000), scenario("long", 9_000), scenario("heavy", 2_000, 4)];
  const cells = [lockOf("a"), lockOf("b")].flatMap((lock) => scenarios.map((each) => cellOf(lock, each)));
  expect(inOrder(cells).map(({ id }) => id)).toEqual([
    ...["a~heavy~1", "b~heavy~1"],
    ...["a~long~1", "a~short~1", "b~long~1", "b~short~1"],
  ]);
});
