import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type BoundedCounter,
  boundedCounterValue,
  decrease,
  emptyBoundedCounter,
  increase,
  mergeBoundedCounters,
  rightsOf,
  transferRights,
} from "../../../../../workloads/crdts/types/bounded-counter.ts";
import { deepFreeze } from "./arbitrary.ts";
import { holdsTheLaws } from "./laws.ts";

const REGIONS = ["cai", "fra", "iad"] as const;
const refused = expect.objectContaining({ code: "INSUFFICIENT_RIGHTS" });

interface Step {
  kind: "increase" | "decrease" | "transfer" | "merge";
  at: number;
  to: number;
  amount: number;
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom("increase" as const, "decrease" as const, "transfer" as const, "merge" as const),
    at: fc.nat(2),
    to: fc.nat(2),
    amount: fc.nat(3),
  }),
  { maxLength: 40 },
);

function run(all: readonly Step[], after?: (states: BoundedCounter[]) => void): BoundedCounter[] {
  const states = REGIONS.map(emptyBoundedCounter);
  for (const { kind, at, to, amount } of all) {
    const state = states[at] as BoundedCounter;
    const region = REGIONS[at] as string;
    const may = amount <= rightsOf(state, region);
    if (kind === "increase") states[at] = increase(state, region, amount);
    else if (kind === "merge") states[at] = mergeBoundedCounters(state, states[to] as BoundedCounter);
    else if (!may) expect(() => decrease(state, region, amount)).toThrow(refused);
    else if (kind === "decrease") states[at] = decrease(state, region, amount);
    else states[at] = transferRights(state, region, REGIONS[to] as string, amount);
    after?.(states);
  }
  return states;
}

describe("the bounded counter", () => {
  it("refuses to oversell: each region sells what it holds", () => {
    const start = transferRights(increase(emptyBoundedCounter(), "fra", 1), "fra", "cai", 1);
    expect(() => decrease(start, "fra", 1)).toThrow(refused);
    const sold = decrease(start, "cai", 1);
    expect(boundedCounterValue(mergeBoundedCounters(sold, start))).toBe(0);
  });

  it("counts a transfer once, however often it arrives", () => {
    const start = increase(emptyBoundedCounter(), "fra", 3);
    const given = transferRights(start, "fra", "cai", 2);
    const received = mergeBoundedCounters(mergeBoundedCounters(start, given), given);
    expect(rightsOf(received, "cai")).toBe(2);
    expect(rightsOf(given, "fra")).toBe(1);
    expect(boundedCounterValue(received)).toBe(3);
  });

  it("takes whole amounts from 0 on", () => {
    for (const amount of [-1, 0.5, Number.NaN]) {
      expect(() => increase(emptyBoundedCounter(), "fra", amount)).toThrow(TypeError);
      expect(() => decrease(emptyBoundedCounter(), "fra", amount)).toThrow(TypeError);
    }
  });

  it("never goes below zero, anywhere, and rights never exceed the value", () => {
    fc.assert(
      fc.property(steps, (all) => {
        run(all, (states) => {
          const whole = states.reduce((a, b) => mergeBoundedCounters(a, b));
          const held = states.reduce((sum, state, index) => sum + rightsOf(state, REGIONS[index] as string), 0);
          expect(boundedCounterValue(whole)).toBeGreaterThanOrEqual(0);
          expect(held).toBeLessThanOrEqual(boundedCounterValue(whole));
          for (const region of REGIONS) expect(rightsOf(whole, region)).toBeGreaterThanOrEqual(0);
        });
      }),
    );
  });

  it("merges lawfully", () => {
    holdsTheLaws(
      steps.map((all) => deepFreeze(run(all)) as unknown as readonly [BoundedCounter, BoundedCounter, BoundedCounter]),
      mergeBoundedCounters,
    );
  });
});
