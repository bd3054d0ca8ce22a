import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../../../../harness/package-root.ts";
import { npmLocks } from "../../../../../workloads/locks/npm/registry.ts";

const { devDependencies } = JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8")) as {
  devDependencies: Record<string, string>;
};

test.each(npmLocks)("$name is tested here at the version that it asks for", ({ needsPackage = "" }) => {
  const at = needsPackage.lastIndexOf("@");
  const [name, version] = [needsPackage.slice(0, at), needsPackage.slice(at + 1)];
  const installed = Object.entries(devDependencies).map(([as, range]) =>
    range.startsWith("npm:") ? range.slice("npm:".length) : `${as}@${range}`,
  );
  expect(installed).toContain(`${name}@${version}`);
});
