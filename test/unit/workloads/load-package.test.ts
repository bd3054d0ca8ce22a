import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { importPackage, loadPackage, MissingPackageError } from "../../../workloads/load-package.ts";

let folder: string;
let from: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-load-package-"));
  from = [pathToFileURL(join(folder, "index.js")).href];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function install(installedAs: string, manifest: object) {
  const target = join(folder, "node_modules", installedAs);
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, "package.json"), JSON.stringify({ main: "main.js", ...manifest }));
  writeFileSync(join(target, "main.js"), `exports.here = ${JSON.stringify(installedAs)};`);
  writeFileSync(join(target, "inner.js"), "exports.inner = true;");
}

const wanted = { name: "no-such-lock", version: "4.2.0", alias: "no-such-lock-4" };

function errorOf(load: () => unknown): unknown {
  try {
    return load();
  } catch (error) {
    return error;
  }
}

test("a package that is not there: which to install, and a code", () => {
  const error = errorOf(() => loadPackage(wanted, from));
  expect(error).toBeInstanceOf(MissingPackageError);
  expect(error).toMatchObject({
    code: "MISSING_PACKAGE",
    message: "no-such-lock is not installed. Install it with: npm install no-such-lock@4.2.0",
  });
});

test("another major version does not serve: how to have both", () => {
  install("no-such-lock", { name: "no-such-lock", version: "v5.0.0-beta.2" });
  expect(() => loadPackage(wanted, from)).toThrow(
    "no-such-lock 5.0.0-beta.2 is installed, but version 4 is needed. Install it with: npm install no-such-lock-4@npm:no-such-lock@4.2.0",
  );
});

test("the alias serves beside another version of the same package, its plain name where it stands alone", () => {
  install("no-such-lock", { name: "no-such-lock", version: "4.9.9" });
  expect(loadPackage(wanted, from)).toEqual({ here: "no-such-lock" });
  install("no-such-lock-4", { name: "no-such-lock", version: "4.2.0" });
  expect(loadPackage(wanted, from)).toEqual({ here: "no-such-lock-4" });
});

test("is looked for in each place in turn", () => {
  install("no-such-lock", { name: "no-such-lock", version: "4.2.0" });
  expect(loadPackage(wanted, [import.meta.url, ...from])).toEqual({ here: "no-such-lock" });
});

test("exports that point to files that are not shipped give way to main", () => {
  const exports = { "./package.json": "./package.json", ".": "./src/index.ts" };
  install("no-such-lock", { name: "no-such-lock", version: "4.2.0", exports });
  expect(loadPackage(wanted, from)).toEqual({ here: "no-such-lock" });
});

test("a file inside the package", () => {
  install("no-such-lock", { name: "no-such-lock", version: "4.2.0" });
  expect(loadPackage({ ...wanted, file: "/inner.js" }, from)).toEqual({ inner: true });
});

test("the ES module of a package that has one, else what require gives", async () => {
  install("two-builds", { name: "two-builds", version: "1.0.0", module: "module.mjs" });
  writeFileSync(join(folder, "node_modules/two-builds/module.mjs"), "export const here = 'as a module';");
  install("one-build", { name: "one-build", version: "1.0.0" });
  expect(await importPackage({ name: "two-builds", version: "1.0.0" }, from)).toMatchObject({ here: "as a module" });
  expect(await importPackage({ name: "one-build", version: "1.0.0" }, from)).toMatchObject({ here: "one-build" });
  await expect(importPackage(wanted, from)).rejects.toMatchObject({ code: "MISSING_PACKAGE" });
});
