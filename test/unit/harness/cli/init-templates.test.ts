import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import ts from "typescript";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { templates } from "../../../../harness/cli/init/templates.ts";

const folder = mkdtempSync(join(tmpdir(), "holdfast-init-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the TypeScript files pass the strict compiler against the library", () => {
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  const files = templates.filter(({ path }) => path.endsWith(".ts"));
  for (const { path, contents } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), contents);
  }
  const program = ts.createProgram(
    files.map(({ path }) => join(folder, path)),
    {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      exactOptionalPropertyTypes: true,
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: ["node"],
      typeRoots: [resolve("node_modules/@types")],
      paths: { holdfast: [resolve("harness/cli/library.ts")] },
    },
  );
  const problems = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText, file }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`);
  expect(problems).toEqual([]);
}, 60_000);

test("the workflow is YAML with a job", () => {
  const workflow = parse(templates.find(({ path }) => path.endsWith(".yml"))?.contents ?? "");
  expect(Object.keys(workflow.jobs)).toEqual(["harness"]);
});
