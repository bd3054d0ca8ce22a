import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holm } from "../../../../harness/measure/holm.ts";

describe("Holm's adjustment", () => {
  it("gives the example of Holm 1979's step-down", () => {
    const adjusted = holm([0.01, 0.04, 0.03, 0.005]);
    [0.03, 0.06, 0.06, 0.02].forEach((p, index) => {
      expect(adjusted[index]).toBeCloseTo(p, 12);
    });
  });

  it("never falls below the p itself, never above Bonferroni, and keeps the order", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }), (ps) => {
        const adjusted = holm(ps);
        for (const [index, p] of ps.entries()) {
          expect(adjusted[index]).toBeGreaterThanOrEqual(p);
          expect(adjusted[index]).toBeLessThanOrEqual(Math.min(1, p * ps.length) + 1e-12);
          for (const [other, q] of ps.entries())
            if (p < q) expect(adjusted[index]).toBeLessThanOrEqual(adjusted[other] ?? 1);
        }
      }),
    );
  });
});
