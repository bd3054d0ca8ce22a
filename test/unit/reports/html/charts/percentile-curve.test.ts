import { describe, expect, it } from "vitest";
import { percentileCurve } from "../../../../../reports/html/charts/percentile-curve.ts";
import { latency } from "../../../../fixtures/results/lock-result.ts";

const values = Array.from({ length: 1000 }, (_, index) => index + 1);

describe("the curve of percentiles", () => {
  it("comes from the histogram, rises, and ends at the maximum", () => {
    const curve = percentileCurve(latency(values));
    expect(curve.length).toBeGreaterThan(100);
    expect(curve.every(({ ms }, index) => index === 0 || ms >= (curve[index - 1]?.ms ?? 0))).toBe(true);
    for (const { share, ms } of curve) expect(Math.abs(ms - Math.max(1, share * 1000))).toBeLessThan(3);
    expect(curve.at(-1)?.ms).toBeCloseTo(1000, -1);
  });

  it.each(["", "not a histogram"])("comes from the figures when the histogram is %j", (hdr) => {
    const curve = percentileCurve({ ...latency(values), hdr });
    expect(curve.map(({ share }) => share)).toEqual([0, 0.5, 0.9, 0.99, 0.999, expect.closeTo(0.999, 5)]);
  });

  it("is empty without values", () => {
    expect(percentileCurve(latency([]))).toEqual([]);
  });
});
