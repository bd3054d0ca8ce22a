import { describe, expect, it } from "vitest";
import { alarms, bare, family } from "./simulation.ts";

// The proof that the statistics keep what they promise, on simulated machines.

describe("comparisons of a configuration with itself", () => {
  it.each([
    { weather: 0.05, noise: 0.02 },
    { weather: 0.3, noise: 0.05 },
    { weather: 0, noise: 0.1 },
  ])(
    "in turns, with weather $weather and noise $noise, raise a false alarm in fewer than 5 % of families",
    (machine) => {
      const rate = alarms(1000, (random) => family({ random, ...machine }, 12, "turns"), bare);
      // 5 % and three standard errors of 1,000 families.
      expect(rate).toBeLessThan(0.05 + 3 * Math.sqrt((0.05 * 0.95) / 1000));
    },
  );

  it("one after the other raise many: that is why rounds are paired, and why unpaired results do not gate", () => {
    const rate = alarms(200, (random) => family({ random, weather: 0.3, noise: 0.05 }, 12, "blocks"), {
      ...bare,
      paired: false,
    });
    expect(rate).toBeGreaterThan(0.2);
  });
});

describe("a change that is there", () => {
  const power = (change: number, noise: number, rounds = 12) =>
    alarms(300, (random) => family({ random, weather: 0.1, noise }, rounds, "turns", change), bare);

  it("of 10 % in noise of 3 % is found nearly always", () => {
    expect(power(0.1, 0.03)).toBeGreaterThan(0.97);
  });

  it("of the noise's own size is found sometimes, of none hardly ever: the power grows with the change", () => {
    const [small, middle, large] = [power(0.02, 0.05), power(0.05, 0.05), power(0.12, 0.05)];
    expect(small).toBeLessThan(middle);
    expect(middle).toBeLessThan(large);
    expect(large).toBeGreaterThan(0.9);
  });

  // Of the t-test on 0.955 as many pairs: the efficiency of the signed-rank test for normal noise is 3 / pi (Lehmann,
  // Nonparametrics, 1975). 2.093 is the 97.5 % point of t with 19 degrees of freedom.
  it.each([0.4, 0.7, 1])("of %f deviations is found in 20 pairs as often as theory gives", (deviations) => {
    const noise = 0.05;
    const change = Math.expm1(deviations * Math.SQRT2 * noise);
    const one = (random: () => number) => family({ random, weather: 0, noise }, 20, "turns", change).slice(0, 1);
    const theory = normalShare(deviations * Math.sqrt((3 / Math.PI) * 20) - 2.093);
    // Three standard errors of 800 families at most, and what the approximation is off by.
    expect(Math.abs(alarms(800, one, bare) - theory)).toBeLessThan(0.075);
  });

  it("cannot be found with fewer pairs than the minimum", () => {
    expect(power(3, 0.01, 8)).toBe(0);
    expect(power(3, 0.01, 9)).toBe(1);
  });
});

/** The share of a normal distribution below z (Abramowitz and Stegun 26.2.17). */
function normalShare(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail =
    Math.exp((-z * z) / 2) *
    0.3989423 *
    t *
    (0.3193815 + t * (-0.3565638 + t * (1.781478 + t * (-1.821256 + t * 1.330274))));
  return z > 0 ? 1 - tail : tail;
}
