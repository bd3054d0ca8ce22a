import { describe, expect, it } from "vitest";
import { hang, wrap } from "../../../../workloads/lab/text.ts";

describe("wrapping", () => {
  it("breaks at spaces, and gives a long word a line of its own", () => {
    expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
    expect(wrap("unbreakable is", 5)).toEqual(["unbreakable", "is"]);
    expect(wrap("", 5)).toEqual([""]);
  });

  it("hangs what follows under the first line", () => {
    expect(hang("- ", "  ", "one two three", 9)).toEqual(["- one two", "  three"]);
  });
});
