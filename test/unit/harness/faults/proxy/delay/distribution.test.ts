import { describe, expect, it } from "vitest";
import { delays } from "../../../../../../harness/faults/proxy/delay/distribution.ts";
import { randomStream } from "../../../../../../harness/random-stream.ts";

function drawn(parameters: Record<string, number | string>): number[] {
  const next = delays(parameters, randomStream(1, JSON.stringify(parameters)).float);
  return Array.from({ length: 20_000 }, next);
}

const quantile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] as number;

describe("delays", () => {
  it("is the base alone without spread", () => {
    expect(new Set(drawn({ base: 2 }))).toEqual(new Set([2]));
    expect(new Set(drawn({ base: 2, p99: 1 }))).toEqual(new Set([2]));
  });

  it.each(["uniform", "lognormal", "pareto"])("%s with p99: never below the base, 1 % above p99", (distribution) => {
    for (const correlation of [0, 0.8]) {
      const values = drawn({ base: 0.2, p99: 1.5, distribution, correlation });
      expect(Math.min(...values)).toBeGreaterThanOrEqual(0.2);
      expect(values.filter((value) => value > 1.5).length / values.length).toBeCloseTo(0.01, correlation ? 1.9 : 2);
    }
  });

  it("jitter is lognormal where p99 is given and nothing is said", () => {
    const values = drawn({ base: 0.2, p99: 1.5 });
    expect(quantile(values, 0.5)).toBeCloseTo(0.2 + 1.3 / Math.exp(2.3263), 1);
  });

  it("uniform with jitter stays within base +- jitter and fills it", () => {
    const values = drawn({ base: 5, jitter: 2, distribution: "uniform" });
    expect(Math.min(...values)).toBeGreaterThanOrEqual(3);
    expect(Math.max(...values)).toBeLessThanOrEqual(7);
    expect(quantile(values, 0.25)).toBeCloseTo(4, 0);
    expect(quantile(values, 0.75)).toBeCloseTo(6, 0);
  });

  it("normal has mean and deviation as asked, and no negative delay", () => {
    const values = drawn({ base: 5, jitter: 1, distribution: "normal" });
    expect(quantile(values, 0.5)).toBeCloseTo(5, 1);
    expect(quantile(values, 0.84)).toBeCloseTo(6, 1);
    expect(Math.min(...drawn({ base: 0.1, jitter: 5, distribution: "normal" }))).toBe(0);
  });

  it("correlates neighbours and keeps the distribution", () => {
    const near = (values: number[]) => {
      const mean = values.reduce((sum, value) => sum + value) / values.length;
      const product = (lag: number) =>
        values.slice(lag).reduce((sum, value, index) => sum + (value - mean) * ((values[index] as number) - mean), 0);
      return product(1) / product(0);
    };
    const parameters = { base: 5, jitter: 1, distribution: "normal" };
    expect(near(drawn({ ...parameters, correlation: 0.9 }))).toBeGreaterThan(0.85);
    expect(Math.abs(near(drawn(parameters)))).toBeLessThan(0.05);
  });
});
