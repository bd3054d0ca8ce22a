import { describe, expect, it } from "vitest";
import { comparisonTable } from "../../../../reports/lock/table.ts";
import { lockResult } from "../../../fixtures/results/lock-result.ts";

const row = (label: string, result = lockResult()) => comparisonTable(result).rows.find((one) => one.label === label);

describe("the table without / with lock", () => {
  it("has one column an arm and the article's figures beside them", () => {
    const { columns, rows } = comparisonTable(lockResult());
    expect(columns.map(({ name }) => name)).toEqual(["none-literal", "none", "set-nx"]);
    expect(rows.every(({ cells }) => cells.length === 3)).toBe(true);
    expect(row("Executed twice or more")?.article).toBe("11.7 % → 0 in 72 h");
    expect(row("Throughput, jobs/min")?.article).toBe("1,200 → 1,180 (−1.7 %)");
  });

  it("marks duplicates of a lock arm as bad, those of a control not", () => {
    const tones = row("Executed twice or more", lockResult({ lockDuplicates: 1 }))?.cells.map(({ tone }) => tone);
    expect(tones).toEqual(["plain", "plain", "bad"]);
  });

  it("does not mark duplicates that any lock has", () => {
    const result = lockResult({ lockDuplicates: 1 });
    const lock = result.arms.find(({ role }) => role === "lock");
    if (lock === undefined) throw new Error("no lock arm");
    lock.jobs.inherentDuplicates = lock.jobs.duplicated;
    expect(row("Executed twice or more", result)?.cells.map(({ tone }) => tone)).toEqual(["plain", "plain", "plain"]);
    expect(row("that any lock has", result)).toBeDefined();
  });

  it("leaves out what did not happen", () => {
    expect(row("Dropped by policy")).toBeUndefined();
    expect(row("P50 outside pauses", lockResult({ faults: false }))).toBeUndefined();
  });
});
