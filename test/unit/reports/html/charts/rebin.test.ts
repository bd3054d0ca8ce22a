import { describe, expect, it } from "vitest";
import { rebin } from "../../../../../reports/html/charts/rebin.ts";
import { lockResult } from "../../../../fixtures/results/lock-result.ts";

describe("fewer steps over time", () => {
  const [, , lock] = lockResult({ rounds: 3, roundMs: 10_000 }).arms;
  if (lock === undefined) throw new Error("the fixture has a lock arm");

  it("keeps every count and never looks better than it was", () => {
    const { points, stepMs } = rebin(lock, 30);
    const sum = (list: { offered: number }[]) => list.reduce((total, { offered }) => total + offered, 0);
    expect(points.length).toBeLessThanOrEqual(30);
    expect(stepMs).toBe(1000);
    expect(sum(points)).toBe(sum(lock.series));
    const worst = (list: { acquireP99Ms: number | null }[]) =>
      Math.max(...list.map(({ acquireP99Ms }) => acquireP99Ms ?? 0));
    expect(worst(points)).toBe(worst(lock.series));
  });

  it("leaves a short series alone", () => {
    expect(rebin(lock, 100_000).points).toEqual(lock.series);
  });
});
