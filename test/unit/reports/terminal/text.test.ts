import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { columns, padEnd, padStart, paragraph, wrap } from "../../../../reports/terminal/text.ts";

describe("columns", () => {
  it("counts wide characters twice, combining marks and colours not at all", () => {
    expect([columns("abc"), columns("日本"), columns("e\u0301"), columns("\u001b[31mred\u001b[39m")]).toEqual([
      3, 4, 1, 3,
    ]);
  });
});

describe("wrap", () => {
  it("loses no word and exceeds no line", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom("a", "b", "日") }), { maxLength: 30 }), (words) => {
        const lines = wrap(words.join(" "), 20);
        expect(lines.join("").replaceAll(" ", "")).toBe(words.join(""));
        expect(Math.max(...lines.map(columns))).toBeLessThanOrEqual(20);
      }),
    );
  });
});

it("pads by columns, not by characters", () => {
  expect([padEnd("日", 4), padStart("\u001b[1m1\u001b[22m", 3)]).toEqual(["日  ", "  \u001b[1m1\u001b[22m"]);
});

it("indents the lines after the first", () => {
  expect(paragraph("one two three four", 12, "  ", "- ")).toBe("- one two\n  three four");
});
