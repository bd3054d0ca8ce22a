import { describe, expect, it } from "vitest";
import { mapOf } from "../../../../../workloads/crdts/types/sorted-map.ts";
import {
  commonVersion,
  covers,
  dominates,
  emptyVersion,
  mergeVersions,
  nextTag,
  withTag,
} from "../../../../../workloads/crdts/types/version-vector.ts";

const version = (entries: Record<string, number>) => mapOf(Object.entries(entries));

describe("version vectors", () => {
  it("count a region's operations", () => {
    const first = nextTag(emptyVersion(), "fra");
    expect(first).toEqual({ region: "fra", sequence: 1 });
    const one = withTag(emptyVersion(), first);
    expect(nextTag(one, "fra").sequence).toBe(2);
    expect(covers(one, first)).toBe(true);
    expect(covers(one, { region: "cai", sequence: 1 })).toBe(false);
    expect(withTag(one, first)).toBe(one);
  });

  it("are ordered region by region", () => {
    expect(dominates(version({ fra: 2, cai: 1 }), version({ fra: 2 }))).toBe(true);
    expect(dominates(version({ fra: 2 }), version({ fra: 2, cai: 1 }))).toBe(false);
    expect(dominates(version({ fra: 9 }), version({ cai: 1 }))).toBe(false);
    expect(dominates(emptyVersion(), emptyVersion())).toBe(true);
  });

  it("merge to what either knows, and meet in what all know", () => {
    expect(mergeVersions(version({ fra: 2, cai: 1 }), version({ fra: 1, iad: 3 }))).toEqual(
      version({ fra: 2, cai: 1, iad: 3 }),
    );
    expect(commonVersion([version({ fra: 2, cai: 1 }), version({ fra: 1, iad: 3 })])).toEqual(version({ fra: 1 }));
    expect(commonVersion([])).toEqual(emptyVersion());
  });
});
