import { expect, test } from "vitest";
import { weightOf } from "../../../../harness/matrix/weight.ts";
import { cellOf, lockOf, scenarioOf } from "./matrix-under-test.ts";

const single = cellOf(lockOf("a"), scenarioOf("s", { weight: 2 }));
const several = cellOf(
  lockOf("b", { capabilities: { renewal: "none", fencing: "none", nodes: 5, client: "any" } }),
  scenarioOf("s", { weight: 2 }),
);

test("a lock on several nodes takes more of the machine", () => {
  expect(weightOf(single, 0, 8)).toBe(2);
  expect(weightOf(several, 0, 8)).toBeGreaterThan(2);
});

test("what was late gets more room each time, but never so much that it waits until all have ended", () => {
  const weights = [0, 1, 2, 3, 9].map((tries) => weightOf(single, tries, 8));
  expect(weights).toEqual([...weights].sort((a, b) => a - b));
  expect(weights[1]).toBeGreaterThan(2);
  expect(weights.at(-1)).toBeLessThan(8);
  expect(weightOf(single, 3, 2)).toBe(2);
});
