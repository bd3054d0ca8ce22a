import { describe, expect, test } from "vitest";
import { formatJobTime, longestJobMs, parseJobTime, parseRecordedMs } from "../../../../harness/config/job-time.ts";

describe("job times", () => {
  test("are read", () => {
    expect(parseJobTime("constant(3s)")).toEqual({ kind: "constant", ms: 3_000 });
    expect(parseJobTime("250ms")).toEqual({ kind: "constant", ms: 250 });
    expect(parseJobTime("lognormal(p50=600ms, p99=3.8s, max=3s)")).toEqual({
      kind: "lognormal",
      p50Ms: 600,
      p99Ms: 3_800,
      maxMs: 3_000,
    });
    expect(parseJobTime("recorded('my times.txt')")).toEqual({ kind: "recorded", file: "my times.txt" });
  });

  test("are written as they are read", () => {
    for (const text of ["constant(3s)", "lognormal(p50=600ms, p99=3.8s, max=3s)", "recorded(times.txt)"]) {
      expect(formatJobTime(parseJobTime(text))).toBe(text);
    }
  });

  test.each([
    ["normal(3s)", 'there is no distribution "normal"'],
    ["constant(3)", '"3" has no unit'],
    ["lognormal(p50=1s)", "lognormal needs p50= and p99=."],
    ["lognormal(p50=1s, p98=2s)", '"p98=2s"'],
    ["lognormal(p50=2s, p99=1s)", "p99 must be greater than p50"],
    ["lognormal(p50=2s, p99=9s, max=1s)", "max cuts more than half of the jobs"],
    ["recorded()", "recorded() needs a file"],
    ["slow", "is no distribution of job times; write constant(3s)"],
  ])("%s is refused", (text, message) => {
    expect(() => parseJobTime(text)).toThrow(message);
  });

  test("recorded values come from lines with or without units, or from JSON", () => {
    expect(parseRecordedMs("# from production\n12\n1.5s\n\n250us\n")).toEqual([12, 1_500, 0.25]);
    expect(parseRecordedMs("[12, 1500]")).toEqual([12, 1_500]);
    expect(() => parseRecordedMs("\n# nothing\n")).toThrow("there is no job time in it");
    expect(() => parseRecordedMs('["12"]')).toThrow("an array of numbers");
  });

  test("the longest job", () => {
    expect(longestJobMs({ kind: "constant", ms: 3 })).toBe(3);
    expect(longestJobMs({ kind: "lognormal", p50Ms: 1, p99Ms: 2, maxMs: 5 })).toBe(5);
    expect(longestJobMs({ kind: "recorded", valuesMs: [1, 9, 4] })).toBe(9);
  });
});
