// npm run docs:matrix -- DIR [DIR OF ANOTHER SEED]: writes what a matrix showed into docs/matrix.md.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import type { MatrixResult } from "../../harness/results/matrix-schema.ts";
import { readResult } from "../../harness/results/store.ts";
import { lockRegistry } from "../../workloads/locks/registry.ts";
import { scenarioRegistry } from "../../workloads/scenarios/registry.ts";
import { measuredPart } from "./matrix-page.ts";

const PAGE = "docs/matrix.md";
const [folder, other] = process.argv.slice(2);
if (folder === undefined) throw new Error("Say which matrix: npm run docs:matrix -- harness-results/latest");

function matrixIn(path: string) {
  const result = readResult(path);
  if (result.kind !== "matrix") throw new Error(`${path} holds a result of kind ${result.kind}, and no matrix`);
  return isWhole(result) ? { ...result, replay: `npx harness matrix --seed ${result.seed}` } : result;
}

/** Every lock in every scenario: as a matrix that went on with another is, though that one names them all. */
function isWhole({ locks, scenarios }: MatrixResult): boolean {
  const named = new Set([...locks, ...scenarios].map(({ name }) => name));
  const tested = lockRegistry.filter(({ family }) => family !== "control");
  return [...tested, ...scenarioRegistry].every(({ name }) => named.has(name));
}

const before = readFileSync(PAGE, "utf8").split(/^## Measured$/m)[0];
const measured = measuredPart({
  result: matrixIn(folder),
  ...(other === undefined ? {} : { again: matrixIn(other) }),
  familyOf: (name) => lockRegistry.find((lock) => lock.name === name)?.family,
});
writeFileSync(PAGE, `${before}${measured}`);
execFileSync("npx", ["biome", "check", "--write", PAGE], { stdio: "inherit" });
