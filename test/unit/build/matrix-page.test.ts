import { expect, test } from "vitest";
import { measuredPart } from "../../../build/docs/matrix-page.ts";
import type { MatrixCell, MatrixResult } from "../../../harness/results/matrix-schema.ts";
import { matrixResult } from "../../fixtures/results/matrix-result.ts";

const cellOf = ({ cells }: MatrixResult, lock: string, scenario: string): MatrixCell => {
  const found = cells.find((cell) => cell.lock === lock && cell.scenario === scenario);
  if (!found) throw new Error(`there is no cell of ${lock} in ${scenario}`);
  return found;
};
const familyOf = (lock: string) => (lock === "redlock" ? "npm" : "own");

test("a column for each lock, a row for each scenario that some lock of the table is in, and a line for each break", () => {
  const text = measuredPart({ result: matrixResult(), familyOf });
  expect(text).toContain("Seed 7, 31 January 2026, Node 20.20.0, Redis 7.0.15, 2 cores.");
  expect(text).toContain("| scenario | set-nx | set-nx-renewing |");
  expect(text).toContain("### Libraries on one server\n\n| scenario | redlock |");
  expect(text).toContain("### Broken on purpose\n\n| scenario | broken/release-any |");
  const ownTable = text.slice(text.indexOf("### Own locks"), text.indexOf("### Libraries"));
  expect(ownTable).toContain("| slow-job | ❌ exclusion, late effects | ✅ |");
  // No own lock has anything to do with several nodes here.
  expect(ownTable).not.toContain("node-amnesia");
  expect(text.match(/^- ❌ \*\*slow-job\*\*/gm)).toHaveLength(2);
  expect(text.slice(text.indexOf("## What broke"))).not.toContain("### broken/release-any");
  expect(text).not.toContain("With another seed");
});

test("with another seed: the cells that came to another verdict, and what was said each time", () => {
  const again = matrixResult();
  again.seed = 8;
  const changed = cellOf(again, "set-nx", "slow-job");
  Object.assign(changed, { verdict: "held", checks: [], evidence: [], reason: "Nothing was found." });
  const text = measuredPart({ result: matrixResult(), again, familyOf });
  const part = text.slice(text.indexOf("## With another seed"));
  expect(part).toContain("| lock | scenario | seed 7 | seed 8 |");
  expect(part.match(/^\| set-nx \| slow-job \|.*Nothing was found\. \|$/gm)).toHaveLength(1);
  expect(part).toContain("20 of 21 cells");
});
