import { describe, expect, it } from "vitest";
import {
  addToCounter,
  counterValue,
  emptyCounter,
  mergeCounters,
} from "../../../../../workloads/crdts/types/pn-counter.ts";
import { mapEntries, mapOf, type SortedMap } from "../../../../../workloads/crdts/types/sorted-map.ts";
import { documentsAfter, steps } from "./arbitrary.ts";
import { holdsTheLaws } from "./laws.ts";

const plain = (slots: SortedMap<number>) => Object.fromEntries(mapEntries(slots));

describe("the positive-negative counter", () => {
  it("keeps what each region added and took away", () => {
    let counter = emptyCounter();
    for (const [region, delta] of [
      ["cai", 10],
      ["cai", -2],
      ["fra", 3],
      ["fra", -1],
    ] as const) {
      counter = addToCounter(counter, region, delta);
    }
    expect(plain(counter.p)).toEqual({ cai: 10, fra: 3 });
    expect(plain(counter.n)).toEqual({ cai: 2, fra: 1 });
    expect(counterValue(counter)).toBe(10);
  });

  it("merges by maximum", () => {
    const cairo = { p: mapOf([["cai", 10]]), n: mapOf([["cai", 2]]) };
    const frankfurt = { p: mapOf<number>([]), n: mapOf([["fra", 1]]) };
    expect(counterValue(mergeCounters(cairo, frankfurt))).toBe(7);
  });

  it("takes whole numbers only", () => {
    for (const delta of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "1" as unknown as number]) {
      expect(() => addToCounter(emptyCounter(), "fra", delta)).toThrow(TypeError);
    }
    const full = addToCounter(emptyCounter(), "fra", Number.MAX_SAFE_INTEGER);
    expect(() => addToCounter(full, "fra", 1)).toThrow(TypeError);
    expect(counterValue(full)).toBe(Number.MAX_SAFE_INTEGER);
  });

  it("is the same object when nothing is added", () => {
    const counter = addToCounter(emptyCounter(), "fra", 1);
    expect(addToCounter(counter, "fra", 0)).toBe(counter);
  });

  it("merges lawfully", () => {
    const counters = steps.map((all) => {
      const counted = all.map((step) => (step.kind === "count" ? { ...step, key: "stock" } : step));
      const [a, b, c] = documentsAfter(counted);
      return [a, b, c].map(({ counters }) => counters.values.at(-1) ?? emptyCounter()) as [
        ReturnType<typeof emptyCounter>,
        ReturnType<typeof emptyCounter>,
        ReturnType<typeof emptyCounter>,
      ];
    });
    holdsTheLaws(counters, mergeCounters);
  });

  it("oversells: two regions sell the last piece", () => {
    const stocked = addToCounter(emptyCounter(), "fra", 1);
    const frankfurt = addToCounter(stocked, "fra", -1);
    const cairo = addToCounter(stocked, "cai", -1);
    expect(counterValue(mergeCounters(frankfurt, cairo))).toBe(-1);
  });
});
