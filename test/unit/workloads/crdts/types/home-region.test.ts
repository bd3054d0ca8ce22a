import { describe, expect, it } from "vitest";
import {
  createHomeRow,
  homeOfKey,
  mergeHomeRows,
  moveHome,
  writeHomeRow,
} from "../../../../../workloads/crdts/types/home-region.ts";

const notHome = (home: string) => expect.objectContaining({ code: "NOT_HOME", home });

describe("the home region", () => {
  it("alone writes the row, and the later write wins everywhere", () => {
    const row = createHomeRow("fra", 100);
    expect(() => writeHomeRow(row, "cai", 90)).toThrow(notHome("fra"));
    const written = writeHomeRow(row, "fra", 120);
    expect(mergeHomeRows(row, written)).toBe(written);
    expect(mergeHomeRows(written, row)).toBe(written);
    expect(mergeHomeRows(undefined, row)).toBe(row);
    expect(mergeHomeRows(row, undefined)).toBe(row);
  });

  it("can be handed over, after which the old home refuses", () => {
    const row = moveHome(writeHomeRow(createHomeRow("fra", 100), "fra", 120), "fra", "cai");
    expect(() => writeHomeRow(row, "fra", 1)).toThrow(notHome("cai"));
    expect(writeHomeRow(row, "cai", 90)).toEqual({ home: "cai", value: 90, version: 4 });
  });

  it("of a key is the same everywhere and spreads over the regions", () => {
    const regions = ["cai", "fra", "iad"];
    const homes = Array.from({ length: 300 }, (_, index) => homeOfKey(`user-${index}@example.com`, regions));
    for (const region of regions) expect(homes.filter((home) => home === region).length).toBeGreaterThan(50);
    expect(homeOfKey("", regions)).toBe(homeOfKey("", [...regions]));
    expect(() => homeOfKey("x", [])).toThrow(TypeError);
  });
});
