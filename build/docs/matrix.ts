// npm run docs:matrix -- DIR [DIR OF ANOTHER SEED]: writes what a matrix showed into docs/matrix.md.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { readResult } from "../../harness/results/store.ts";
import { lockRegistry } from "../../workloads/locks/registry.ts";
import { measuredPart } from "./matrix-page.ts";

const PAGE = "docs/matrix.md";
const [folder, other] = process.argv.slice(2);
if (folder === undefined) throw new Error("Say which matrix: npm run docs:matrix -- harness-results/latest");

function matrixIn(path: string) {
  const result = readResult(path);
  if (result.kind !== "matrix") throw new Error(`${path} holds a result of kind ${result.kind}, and no matrix`);
  return result;
}

const before = readFileSync(PAGE, "utf8").split(/^## Measured$/m)[0];
const measured = measuredPart({
  result: matrixIn(folder),
  ...(other === undefined ? {} : { again: matrixIn(other) }),
  familyOf: (name) => lockRegistry.find((lock) => lock.name === name)?.family,
});
writeFileSync(PAGE, `${before}${measured}`);
execFileSync("npx", ["biome", "check", "--write", PAGE], { stdio: "inherit" });
