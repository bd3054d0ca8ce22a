import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatBytesPerSecond,
  formatDurationMs,
  formatRate,
  formatSizeBytes,
  parseBytesPerSecond,
  parseDurationMs,
  parseInteger,
  parseProbability,
  parseRate,
  parseSizeBytes,
  UnitError,
} from "../../../../harness/config/units.ts";

describe("durations", () => {
  test.each([
    ["250us", 0.25],
    ["250µs", 0.25],
    ["0.2ms", 0.2],
    ["1.5ms", 1.5],
    ["15s", 15_000],
    ["2 s", 2_000],
    [".5s", 500],
    ["5min", 300_000],
    ["5m", 300_000],
    ["72h", 259_200_000],
    ["0", 0],
  ])("%s is %d ms", (text, ms) => {
    expect(parseDurationMs(text)).toBe(ms);
  });

  test("a sign is taken only where one makes sense", () => {
    expect(parseDurationMs("+60s", { signed: true })).toBe(60_000);
    expect(parseDurationMs("-5s", { signed: true })).toBe(-5_000);
    expect(() => parseDurationMs("-5s")).toThrow('"-5s": a duration here has no sign; write 5s.');
  });

  test("a clock may be moved by ten years, and no further", () => {
    expect(parseDurationMs("-3650d", { signed: true })).toBe(-315_360_000_000);
    for (const text of ["+3651d", "-3651d", "1e300h"]) {
      expect(() => parseDurationMs(text, { signed: true })).toThrow(
        `"${text}" is too far: the furthest is 87600h either way, ten years.`,
      );
    }
  });

  test.each([
    ["15", '"15" has no unit; write 15s or 15ms.'],
    ["15sec", 'there is no unit "sec"'],
    ["soon", '"soon" is no duration; write one such as 15s.'],
    ["", '"" is no duration'],
    ["1s2", '"1s2" is no duration'],
    ["30d", '"30d" is too long: the longest is 144h.'],
    ["99999999999999999h", "is too long"],
  ])("%s is refused", (text, message) => {
    expect(() => parseDurationMs(text)).toThrow(message);
    expect(() => parseDurationMs(text)).toThrow(UnitError);
  });

  test.each([
    [0.2, "200us"],
    [1.5, "1.5ms"],
    [15_000, "15s"],
    [1_500, "1.5s"],
    [90_000, "90s"],
    [60_000, "60s"],
    [120_000, "2min"],
    [259_200_000, "72h"],
    [0, "0s"],
    [-5_000, "-5s"],
  ])("%d ms is written %s", (ms, text) => {
    expect(formatDurationMs(ms)).toBe(text);
  });

  test("what is written reads back as the same number", () => {
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (ms) => {
        const value = ms === 0 ? 0 : ms;
        expect(parseDurationMs(formatDurationMs(value, { signed: true }), { signed: true })).toBe(value);
      }),
    );
  });
});

describe("rates", () => {
  test.each([
    ["1200", 1200],
    ["20/s", 1200],
    ["1200/min", 1200],
    ["72000/h", 1200],
    ["0.5/s", 30],
  ])("%s is %d a minute", (text, perMinute) => {
    expect(parseRate(text)).toEqual({ perMinute });
    expect(parseRate(formatRate({ perMinute }))).toEqual({ perMinute });
  });

  test("max has no number", () => {
    expect(parseRate("max")).toBe("max");
    expect(formatRate("max")).toBe("max");
  });

  test.each(["0", "-3", "fast", "20/week", "20 s", "1e99", "100001/s"])("%s is refused", (text) => {
    expect(() => parseRate(text)).toThrow(UnitError);
  });
});

describe("sizes, data rates, probabilities, whole numbers", () => {
  test("sizes", () => {
    expect(parseSizeBytes("512")).toBe(512);
    expect(parseSizeBytes("64KB")).toBe(64_000);
    expect(parseSizeBytes("1MiB")).toBe(1_048_576);
    expect(formatSizeBytes(64_000)).toBe("64KB");
    expect(() => parseSizeBytes("64kbit")).toThrow("is no size; write one such as 512B, 64KB or 1MiB.");
  });

  test("what is written reads back as the same number", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), (size) => {
        expect(parseSizeBytes(formatSizeBytes(size))).toBe(size);
        expect(parseBytesPerSecond(formatBytesPerSecond(size))).toBe(size);
      }),
    );
  });

  test("probabilities", () => {
    expect(parseProbability("0.3")).toBe(0.3);
    expect(parseProbability("30%")).toBe(0.3);
    expect(() => parseProbability("3")).toThrow("a number from 0 to 1");
    expect(() => parseProbability("-0.1")).toThrow(UnitError);
  });

  test("whole numbers", () => {
    expect(parseInteger("42")).toBe(42);
    expect(() => parseInteger("4.2")).toThrow('"4.2" is no whole number.');
    expect(() => parseInteger("1e3")).toThrow(UnitError);
  });
});
