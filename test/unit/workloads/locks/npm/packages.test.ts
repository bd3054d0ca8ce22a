import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import type { LockModule } from "../../../../../harness/contracts/lock-adapter.ts";
import { packageRoot } from "../../../../../harness/package-root.ts";
import { npmLocks } from "../../../../../workloads/locks/npm/registry.ts";

const { devDependencies } = JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8")) as {
  devDependencies: Record<string, string>;
};

test.each(npmLocks)("$name names the same package in its module", async ({ module, needsPackage }) => {
  const path = join(packageRoot(), "workloads", `${module}.ts`);
  const { default: lockModule } = (await import(pathToFileURL(path).href)) as { default: LockModule };
  const [library] = lockModule.packages ?? [];
  expect(`${library?.name}@${library?.version}`).toBe(needsPackage);
});

test.each(npmLocks)("$name is tested here at the version that it asks for", ({ needsPackage = "" }) => {
  const at = needsPackage.lastIndexOf("@");
  const [name, version] = [needsPackage.slice(0, at), needsPackage.slice(at + 1)];
  const installed = Object.entries(devDependencies).map(([as, range]) =>
    range.startsWith("npm:") ? range.slice("npm:".length) : `${as}@${range}`,
  );
  expect(installed).toContain(`${name}@${version}`);
});
