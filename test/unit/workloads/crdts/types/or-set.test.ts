import { describe, expect, it } from "vitest";
import {
  addToSet,
  emptySet,
  mergeSets,
  removeFromSet,
  setHas,
  setValues,
} from "../../../../../workloads/crdts/types/or-set.ts";
import { documentsAfter, steps } from "./arbitrary.ts";
import { holdsTheLaws } from "./laws.ts";

const tag = (region: string, sequence: number) => ({ region, sequence });

describe("the observed-remove set", () => {
  it("sorts its values by code unit and holds each once", () => {
    let set = emptySet();
    for (const [index, element] of ["sale", "new", "\u00e9", "e\u0301", "10", "9", "new"].entries()) {
      set = addToSet(set, element, tag("fra", index + 1));
    }
    expect(setValues(set)).toEqual(["10", "9", "e\u0301", "new", "sale", "\u00e9"]);
  });

  it("lets an add win over a concurrent remove", () => {
    const start = addToSet(emptySet(), "new", tag("fra", 1));
    const cairo = removeFromSet(start, "new");
    const frankfurt = addToSet(start, "new", tag("fra", 2));
    expect(setValues(mergeSets(cairo, frankfurt))).toEqual(["new"]);
    expect(setValues(mergeSets(frankfurt, cairo))).toEqual(["new"]);
  });

  it("does not let an old message bring an element back", () => {
    const old = addToSet(emptySet(), "new", tag("fra", 1));
    const removed = removeFromSet(old, "new");
    expect(setHas(mergeSets(removed, old), "new")).toBe(false);
    expect(mergeSets(removed, old)).toBe(removed);
    expect(setValues(addToSet(removed, "new", tag("cai", 1)))).toEqual(["new"]);
  });

  it("is the same object when nothing is removed", () => {
    const set = removeFromSet(addToSet(emptySet(), "new", tag("fra", 1)), "new");
    expect(removeFromSet(set, "new")).toBe(set);
    expect(removeFromSet(set, "other")).toBe(set);
  });

  it("merges lawfully", () => {
    const sets = steps.map((all) => {
      const named = all.map((step) =>
        step.kind === "add" || step.kind === "remove" ? { ...step, key: "tags" } : step,
      );
      const [a, b, c] = documentsAfter(named);
      const of = ({ sets: { values } }: typeof a) => values[0] ?? emptySet();
      return [of(a), of(b), of(c)] as const;
    });
    holdsTheLaws(sets, mergeSets);
  });
});
