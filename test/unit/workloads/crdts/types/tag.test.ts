import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compareTags,
  formatTag,
  hasTag,
  type Tag,
  type Tags,
  unionTags,
  withoutTags,
} from "../../../../../workloads/crdts/types/tag.ts";

const tags: fc.Arbitrary<Tags> = fc
  .uniqueArray(fc.record({ region: fc.constantFrom("cai", "fra"), sequence: fc.integer({ min: 1, max: 12 }) }), {
    selector: formatTag,
  })
  .map((list) => list.sort(compareTags));

const names = (list: Tags) => list.map(formatTag);

describe("tags", () => {
  it("are united, subtracted and found as sets are", () => {
    fc.assert(
      fc.property(tags, tags, (a, b) => {
        const both = new Set([...names(a), ...names(b)]);
        expect(new Set(names(unionTags(a, b)))).toEqual(both);
        expect(unionTags(a, b)).toHaveLength(both.size);
        expect([...unionTags(a, b)].sort(compareTags)).toEqual(unionTags(a, b));
        expect(names(withoutTags(a, b))).toEqual(names(a).filter((name) => !names(b).includes(name)));
        for (const tag of a) expect(hasTag(b, { ...tag })).toBe(names(b).includes(formatTag(tag)));
      }),
    );
  });

  it("sort by number, not by text", () => {
    const ten: Tag = { region: "fra", sequence: 10 };
    expect(compareTags({ region: "fra", sequence: 9 }, ten)).toBeLessThan(0);
    expect(compareTags({ region: "cai", sequence: 11 }, ten)).toBeLessThan(0);
  });

  it("stay the same list where nothing is new", () => {
    const list: Tags = [{ region: "fra", sequence: 1 }];
    expect(unionTags(list, [{ region: "fra", sequence: 1 }])).toBe(list);
    expect(withoutTags(list, [{ region: "fra", sequence: 2 }])).toBe(list);
  });
});
