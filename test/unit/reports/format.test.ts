import { describe, expect, it, test } from "vitest";
import {
  enumerate,
  formatChange,
  formatDuration,
  formatLength,
  formatMs,
  formatNumber,
  formatShare,
  plural,
} from "../../../reports/format.ts";

describe("numbers for people", () => {
  it.each([
    [0.00044, "0.4 µs"],
    [0.044, "44 µs"],
    [0.62, "0.62 ms"],
    [9.876, "9.88 ms"],
    [23.44, "23.4 ms"],
    [340.2, "340 ms"],
    [2030, "2.03 s"],
    [0, "0 ms"],
    [null, "–"],
    [Number.NaN, "–"],
  ])("a latency of %s ms is %s", (ms, text) => {
    expect(formatMs(ms)).toBe(text);
  });

  it.each([
    [500, "500 ms"],
    [15_000, "15 s"],
    [90_000, "1 min 30 s"],
    [59_999_999, "16 h 40 min"],
    [259_200_000, "72 h"],
  ])("a duration of %s ms is %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it.each([
    [0.117, "11.7 %"],
    [0, "0 %"],
    [1, "100 %"],
    [5.8e-7, "0.000058 %"],
    [0.0096, "0.96 %"],
    [0.000999, "0.1 %"],
  ])("a share of %s is %s", (share, text) => {
    expect(formatShare(share)).toBe(text);
  });

  it("signs changes and rounds a change too small to show to none", () => {
    expect([-0.017, 0.25, 0.0001, -0.0001].map(formatChange)).toEqual(["−1.7 %", "+25.0 %", "±0.0 %", "±0.0 %"]);
  });

  it("counts in words", () => {
    expect([plural(1, "job"), plural(1200, "job"), plural(2, "key", "keys"), formatNumber(1234.5, 1)]).toEqual([
      "1 job",
      "1,200 jobs",
      "2 keys",
      "1,234.5",
    ]);
    expect([enumerate([]), enumerate(["a"]), enumerate(["a", "b", "c"])]).toEqual(["", "a", "a, b and c"]);
  });
});

test("a run that never said how long it took is of unknown length", () => {
  expect([0, 4_100].map(formatLength)).toEqual(["of unknown length", "4.1 s in all"]);
});
