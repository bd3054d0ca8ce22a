import { describe, expect, it } from "vitest";
import {
  claimAtHome,
  claimLocally,
  emptyDirectory,
  mergeDirectories,
  ownersOf,
} from "../../../../../workloads/crdts/types/directory.ts";
import { homeOfKey } from "../../../../../workloads/crdts/types/home-region.ts";

const tag = (region: string) => ({ region, sequence: 1 });
const address = "ada@example.com";
const regions = ["cai", "fra"];

describe("the directory of unique addresses", () => {
  it("ends with two owners when both regions accept", () => {
    const frankfurt = claimLocally(emptyDirectory(), address, "ada", tag("fra"));
    const cairo = claimLocally(emptyDirectory(), address, "adel", tag("cai"));
    const merged = mergeDirectories(frankfurt, cairo);
    expect(ownersOf(merged, address)).toEqual(["adel", "ada"]);
    expect(mergeDirectories(cairo, frankfurt)).toEqual(merged);
    expect(mergeDirectories(merged, cairo)).toBe(merged);
  });

  it("has one owner when the home decides", () => {
    const home = homeOfKey(address, regions);
    const other = regions.find((region) => region !== home) as string;
    const claimed = claimAtHome(emptyDirectory(), address, "ada", tag(home), regions);
    expect(() => claimAtHome(emptyDirectory(), address, "adel", tag(other), regions)).toThrow(
      expect.objectContaining({ code: "NOT_HOME", home }),
    );
    expect(() => claimAtHome(claimed, address, "adel", tag(home), regions)).toThrow(
      expect.objectContaining({ code: "TAKEN" }),
    );
    expect(ownersOf(claimed, address)).toEqual(["ada"]);
    expect(ownersOf(claimed, "other@example.com")).toEqual([]);
  });
});
