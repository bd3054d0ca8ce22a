import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../../../harness/package-root.ts";
import { lockRegistry } from "../../../../workloads/locks/registry.ts";

test("names are unique", () => {
  const names = lockRegistry.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test.each(lockRegistry)("$name: its module is there, its summary one sentence without a full stop", (entry) => {
  expect(existsSync(join(packageRoot(), "workloads", `${entry.module}.ts`))).toBe(true);
  expect(entry.summary).toMatch(/^\S.*[^.]$/);
});

test.each(lockRegistry.filter(({ family }) => family === "broken"))(
  "$name says what is wrong and what finds it",
  (entry) => {
    expect(entry.wrongThought).toMatch(/^\S.*[^.]$/);
    expect(entry.caughtBy).toMatchObject({ scenario: expect.any(String), check: expect.any(String) });
  },
);
