import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { builtFile, packageRoot } from "../../../harness/package-root.ts";

it("finds the package above its own code, past the manifests of others", () => {
  const folder = mkdtempSync(join(tmpdir(), "package-root-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "dist/inner"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "name": "holdfast" }');
  writeFileSync(join(folder, "dist/package.json"), '{ "type": "module" }');
  expect(packageRoot(join(folder, "dist/inner"))).toBe(folder);
});

it("is the folder that holds this package's manifest", () => {
  expect(JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8")).name).toBe("holdfast");
  expect(builtFile("harness/cli/bin.js")).toBe(join(packageRoot(), "dist/harness/cli/bin.js"));
});

it("says so when there is none", () => {
  expect(() => packageRoot("/")).toThrow("package.json of holdfast was not found");
});
