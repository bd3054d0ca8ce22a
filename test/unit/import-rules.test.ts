import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
let house: string;

/** A small house with the same rooms and the same rules: sound files, and beside them one violation of each rule. */
beforeAll(async () => {
  house = mkdtempSync(join(root, "dist.rules-"));
  for (const file of [".dependency-cruiser.cjs", "tsconfig.json", "package.json"]) {
    cpSync(join(root, file), join(house, file));
  }
  symlinkSync(join(root, "node_modules"), join(house, "node_modules"));
  for (const [file, text] of [
    ...Object.entries({ ...sound, ...accomplice }),
    ...planted.map(([, file, text]) => [file, text] as const),
  ]) {
    mkdirSync(dirname(join(house, file)), { recursive: true });
    writeFileSync(join(house, file), text);
  }
  violations = await cruise();
});
afterAll(() => rmSync(house, { recursive: true, force: true }));

/** The other half of the ring; a cycle is reported once, at its first file. */
const accomplice = { "harness/lock/ring-b.ts": 'import { a } from "./ring-a.ts";\nexport const b = () => a;\n' };

const sound = {
  "harness/contracts/lock.ts": "export interface Lock { name: string }\n",
  "harness/measure/mean.ts": "export const mean = (a: number, b: number) => (a + b) / 2;\n",
  "harness/checks/exclusion.ts": 'export { mean } from "../measure/mean.ts";\n',
  "harness/results/schema.ts": "export const version = 1;\n",
  "harness/lock/run.ts": "export const run = 1;\n",
  "harness/lock/journal.ts": 'import { writeSync } from "node:fs";\nexport const write = writeSync;\n',
  "harness/cli/bin.ts":
    'import { run } from "../lock/run.ts";\nimport { lock } from "../../workloads/locks/a.ts";\nexport default [run, lock];\n',
  "workloads/locks/a.ts":
    'import type { Lock } from "../../harness/contracts/lock.ts";\nexport const lock: Lock = { name: "a" };\n',
  "reports/html.ts": 'import { version } from "../harness/results/schema.ts";\nexport const html = String(version);\n',
};

const planted = [
  ["workloads-see-only-contracts", "workloads/locks/bad.ts", 'export { run } from "../../harness/lock/run.ts";\n'],
  ["reports-see-only-results-and-measure", "reports/bad.ts", 'export { run } from "../harness/lock/run.ts";\n'],
  [
    "engine-knows-no-workload-and-no-report",
    "harness/lock/bad-workload.ts",
    'export { lock } from "../../workloads/locks/a.ts";\n',
  ],
  ["cli-is-imported-by-nobody", "harness/lock/bad-cli.ts", 'export { default } from "../cli/bin.ts";\n'],
  ["contracts-import-only-contracts", "harness/contracts/bad.ts", 'export { run } from "../lock/run.ts";\n'],
  ["checks-and-measure-do-no-io", "harness/checks/bad.ts", 'export { readFileSync } from "node:fs";\n'],
  ["checks-and-measure-do-no-io", "harness/checks/indirect.ts", 'export { write } from "../lock/journal.ts";\n'],
  ["checks-and-measure-use-no-io-library", "harness/measure/bad.ts", 'export { Redis } from "ioredis";\n'],
  ["not-to-unresolvable", "harness/lock/bad-gone.ts", 'export { gone } from "./gone.ts";\n'],
  ["no-circular", "harness/lock/ring-a.ts", 'import { b } from "./ring-b.ts";\nexport const a = () => b;\n'],
] as const;

interface Violation {
  from: string;
  rule: { name: string };
}
let violations: Violation[];

async function cruise(): Promise<Violation[]> {
  const { stdout } = await execa({ cwd: house, reject: false, preferLocal: true, localDir: root })("depcruise", [
    ...["--config", ".dependency-cruiser.cjs", "--output-type", "json", "harness", "workloads", "reports"],
  ]);
  const { summary } = JSON.parse(stdout) as { summary: { totalCruised: number; violations: Violation[] } };
  expect(summary.totalCruised).toBeGreaterThanOrEqual(Object.keys(sound).length);
  return summary.violations;
}

test.each(planted)("%s refuses the violation planted in %s", (rule, file) => {
  expect(violations.filter(({ from }) => from === file).map((violation) => violation.rule.name)).toContain(rule);
});

test.each(Object.keys(sound))("%s is sound, and is left alone", (file) => {
  expect(violations.filter(({ from }) => from === file)).toEqual([]);
});
