import { describe, expect, test } from "vitest";
import { gatedMetrics, roundsForComparison } from "../../../../harness/measure/comparison.ts";
import { lockWorthIt, ttlAdvice } from "../../../../harness/measure/lock-advice.ts";
import { mean, quantile, sorted } from "../../../../harness/measure/quantiles.ts";
import { startFigures } from "../../../../harness/measure/starts.ts";

test("quantiles are values that occurred", () => {
  const values = sorted([5, 1, 3, 2, 4]);
  expect([0, 0.2, 0.5, 0.999, 1].map((share) => quantile(values, share))).toEqual([1, 1, 3, 5, 5]);
  expect(quantile([], 0.5)).toBeNull();
  expect(mean([])).toBeNull();
});

test("starts: late beyond 1 ms, dropped beyond 1 s or never added, on the dot neither", () => {
  const start = (byMs: number | undefined, inFault = false) => ({
    plannedNs: 1e9,
    ...(byMs === undefined ? {} : { addedNs: 1e9 + byMs * 1e6 }),
    inFault,
  });
  const figures = startFigures([start(0.3), start(1), start(1.1), start(1000), start(1000.1, true), start(undefined)]);
  expect(figures).toMatchObject({ late: 2, dropped: 2, droppedInFaults: 1, lateP50Ms: 1.1 });
  expect(startFigures([])).toEqual({ late: 0, dropped: 0, droppedInFaults: 0, lateP50Ms: null, lateP99Ms: null });
});

describe("is a lock worth it", () => {
  test("seconds x jobs a second, in total and for the busiest key", () => {
    const advice = lockWorthIt({ jobTimesMs: [40, 60], jobsPerKey: [1, 3], overMs: 40_000 });
    expect(advice.product).toBeCloseTo(0.05 * 0.1, 12);
    expect(advice.productPerKey).toBeCloseTo(0.05 * (2 / 40), 12);
    expect(advice).toMatchObject({ meanJobMs: 50, threshold: 0.01, worthIt: false });
  });

  test("long jobs or many jobs want one; exactly at the limits too", () => {
    const worthIt = (jobTimeMs: number, jobs: number) =>
      lockWorthIt({ jobTimesMs: [jobTimeMs], jobsPerKey: [jobs], overMs: 1_000_000 }).worthIt;
    expect(worthIt(99, 100)).toBe(false);
    expect(worthIt(100, 1)).toBe(true);
    expect(worthIt(10, 1000)).toBe(true);
  });

  test("keys of a single job meet nobody", () => {
    expect(lockWorthIt({ jobTimesMs: [50], jobsPerKey: [1, 1, 1], overMs: 1000 }).productPerKey).toBe(0);
  });

  test("of nothing measured nothing is said", () => {
    expect(lockWorthIt({ jobTimesMs: [], jobsPerKey: [], overMs: 1000 })).toMatchObject({
      product: null,
      worthIt: null,
    });
  });
});

test("TTL: 1.5 x the 99.9th percentile of the job time", () => {
  expect(ttlAdvice(Array.from({ length: 1000 }, (_, index) => index + 1))).toEqual({
    jobTimeP999Ms: 999,
    suggestedTtlMs: 1499,
  });
  expect(ttlAdvice([])).toEqual({ jobTimeP999Ms: null, suggestedTtlMs: null });
});

test("rounds for a comparison: 9 for 7 gated metrics, 10 for 14, 1 for none", () => {
  expect(roundsForComparison(7)).toBe(9);
  expect(roundsForComparison(14)).toBe(10);
  expect(roundsForComparison(0)).toBe(1);
  expect(gatedMetrics([{ acquiresPerRound: 1000, responsesPerRound: 5000 }])).toBe(7);
  expect(gatedMetrics([{ acquiresPerRound: 100, responsesPerRound: 99 }])).toBe(3);
});
