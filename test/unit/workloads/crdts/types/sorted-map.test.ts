import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  emptyMap,
  mapEntries,
  mapGet,
  mapHas,
  mapOf,
  mapWith,
  mapWithout,
  mergeMaps,
} from "../../../../../workloads/crdts/types/sorted-map.ts";
import { key } from "./arbitrary.ts";

const entries = fc.array(fc.tuple(key, fc.nat({ max: 9 })));

describe("sorted maps", () => {
  it("agree with a Map, for every key", () => {
    fc.assert(
      fc.property(entries, key, (list, probe) => {
        const expected = new Map(list);
        const map = mapOf(list);
        expect(mapEntries(map)).toEqual([...expected].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
        expect(mapGet(map, probe)).toBe(expected.get(probe));
        expect(mapHas(map, probe)).toBe(expected.has(probe));
        expected.delete(probe);
        expect(mapWithout(map, probe)).toEqual(mapOf(expected));
      }),
    );
  });

  it("sort by UTF-16 code unit, not by locale", () => {
    const map = mapOf(["z", "\u00e9", "e\u0301", "Z", "a", "10", "9"].map((name) => [name, 0]));
    expect(map.keys).toEqual(["10", "9", "Z", "a", "e\u0301", "z", "\u00e9"]);
  });

  it("return the same map when nothing changed", () => {
    const map = mapOf([["a", 1]]);
    expect(mapWith(map, "a", 1)).toBe(map);
    expect(mapWithout(map, "b")).toBe(map);
  });

  it("merge like Maps, and return a side that is the result", () => {
    fc.assert(
      fc.property(entries, entries, (left, right) => {
        const [a, b] = [mapOf(left), mapOf(right)];
        const merged = mergeMaps(a, b, Math.max);
        const expected = new Map(mapEntries(a));
        for (const [name, number] of mapEntries(b)) expected.set(name, Math.max(number, expected.get(name) ?? number));
        expect(merged).toEqual(mapOf(expected));
        expect(mergeMaps(merged, a, Math.max)).toBe(merged);
        expect(mergeMaps(merged, b, Math.max)).toBe(merged);
        expect(mergeMaps(emptyMap<number>(), b, Math.max)).toBe(b.keys.length === 0 ? emptyMap() : b);
        if (a.keys.length > 0) expect(mergeMaps(a, merged, Math.max)).toEqual(merged);
      }),
    );
  });
});
