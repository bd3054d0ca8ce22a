import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addToCounterOf,
  addToSetOf,
  deleteField,
  emptyDocument,
  mergeDocuments,
  removeFromSetOf,
  setField,
  view,
} from "../../../../../workloads/crdts/types/document.ts";
import { deepFreeze, documentsAfter, KEYS, steps } from "./arbitrary.ts";
import { holdsTheLaws } from "./laws.ts";

const at = (l: number, node: string) => ({ l, c: 0, node });
const tag = (region: string, sequence: number) => ({ region, sequence });

function mug() {
  const priced = setField(emptyDocument(), "price", 100, at(1000, "fra"));
  return addToSetOf(addToCounterOf(priced, "stock", "fra", 10), "tags", "new", tag("fra", 1));
}

describe("the document", () => {
  it("keeps both regions' edits: the mug of the lesson", () => {
    const frankfurt = addToCounterOf(setField(mug(), "price", 120, at(220_000, "fra")), "stock", "fra", -1);
    const cairo = addToSetOf(addToCounterOf(mug(), "stock", "cai", -2), "tags", "sale", tag("cai", 1));
    const expected = { price: 120, stock: 7, tags: ["new", "sale"] };
    expect({ ...view(mergeDocuments(frankfurt, cairo)) }).toEqual(expected);
    expect({ ...view(mergeDocuments(cairo, frankfurt)) }).toEqual(expected);
  });

  it("passes a key that one side lacks, whatever its name", () => {
    for (const name of KEYS) {
      const document = addToCounterOf(setField(emptyDocument(), name, name, at(1, "fra")), `${name}#`, "fra", 2);
      for (const merged of [mergeDocuments(emptyDocument(), document), mergeDocuments(document, emptyDocument())]) {
        expect(Object.entries(view(merged)).sort()).toEqual(
          [
            [name, name],
            [`${name}#`, 2],
          ].sort(),
        );
      }
    }
  });

  it("leaves deleted fields out of the view, and keeps undefined in it", () => {
    const document = setField(deleteField(mug(), "price", at(2000, "fra")), "note", undefined, at(2001, "fra"));
    expect(Object.keys(view(document))).toEqual(["note", "stock", "tags"]);
  });

  it("merges lawfully", () => {
    holdsTheLaws(steps.map(documentsAfter), mergeDocuments);
  });

  it("shares what did not change", () => {
    const before = deepFreeze(mug());
    const after = addToCounterOf(before, "stock", "fra", 1);
    expect(after.sets).toBe(before.sets);
    expect(after.fields).toBe(before.fields);
    expect(removeFromSetOf(before, "tags", "absent")).toBe(before);
    expect(removeFromSetOf(before, "absent", "new")).toBe(before);
  });

  it("returns the newer side itself when it contains the older one", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const [a, b] = documentsAfter(all);
        const both = mergeDocuments(a, b);
        expect(mergeDocuments(b, both)).toEqual(both);
        expect(view(mergeDocuments(both, mergeDocuments(b, both)))).toEqual(view(both));
      }),
    );
  });
});
