import { describe, expect, it } from "vitest";
import { lockEntries } from "../../../../reports/benchmark/lock.ts";
import { lockResult } from "../../../fixtures/results/lock-result.ts";

describe("figures for benchmark actions", () => {
  it("leave out percentiles that have too few samples", () => {
    const names = lockEntries(lockResult()).map(({ name }) => name);
    expect(names).toContain("set-nx: acquire P90");
    expect(names).not.toContain("set-nx: acquire P99");
  });

  it("turn cycles a second into time a cycle, since smaller is better", () => {
    const result = lockResult();
    const [, , lock] = result.arms;
    if (lock !== undefined) lock.cyclesPerSecond = 20_000;
    expect(lockEntries(result).at(-1)).toMatchObject({ unit: "µs/cycle", value: 50 });
  });
});
