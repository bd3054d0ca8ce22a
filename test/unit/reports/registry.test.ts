import { describe, expect, it } from "vitest";
import { builtInReporters, defaultReporters, findReporter } from "../../../reports/registry.ts";
import { context } from "../../fixtures/results/context.ts";
import { hostileLockResult, lockResult } from "../../fixtures/results/lock-result.ts";

describe("the registry of reporters", () => {
  it("names each once, with a sentence", () => {
    const names = builtInReporters.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { summary } of builtInReporters) expect(summary).toMatch(/^[A-Z].*[^.]$/);
    for (const name of defaultReporters) expect(findReporter(name)).toBeDefined();
    expect(findReporter("no-such-reporter")).toBeUndefined();
  });

  it.each(builtInReporters.map(({ name }) => name))("%s reports a lock run, and a hostile one too", async (name) => {
    const reporter = findReporter(name);
    for (const result of [lockResult(), hostileLockResult()]) {
      const output = await reporter?.onResult?.(result, context);
      const text = [output?.stdout, ...Object.values(output?.files ?? {})].join("");
      if (name !== "github" || result.status !== "passed") expect(text.length).toBeGreaterThan(100);
      expect(text.length).toBeLessThan(1_000_000);
    }
  });

  it("keeps to the files that it announces", async () => {
    for (const { name, writes } of builtInReporters) {
      const output = await findReporter(name)?.onResult?.(lockResult(), context);
      expect(Object.keys(output?.files ?? {})).toEqual(writes === "stdout" ? [] : [writes]);
    }
  });
});
