import { build, encodeIntoCompressedBase64 } from "hdr-histogram-js";
import { expect, test } from "vitest";
import { latencyAtPercentiles, mergeLatencies, summariseLatencies } from "../../../../harness/measure/histogram.ts";

const milliseconds = (...values: number[]) => values.map((value) => value * 1e6);

test("percentiles of known values, within the three digits that the histogram keeps", () => {
  const summary = summariseLatencies(Array.from({ length: 1000 }, (_, index) => (index + 1) * 1e6));
  expect(summary.count).toBe(1000);
  for (const [field, expected] of [
    ["p50Ms", 500],
    ["p90Ms", 900],
    ["p99Ms", 990],
    ["p999Ms", 999],
    ["maxMs", 1000],
  ] as const) {
    expect(Math.abs(summary[field]! / expected - 1)).toBeLessThan(0.001);
  }
});

test("no values: nulls, and a histogram that still merges", () => {
  const empty = summariseLatencies([]);
  expect(empty).toMatchObject({ count: 0, p50Ms: null, p90Ms: null, p99Ms: null, p999Ms: null, maxMs: null });
  expect(mergeLatencies([empty, summariseLatencies(milliseconds(5))]).count).toBe(1);
  expect(latencyAtPercentiles(empty.hdr, [50])).toEqual([]);
});

test("merging parts gives exactly what the whole gives", () => {
  const values = Array.from({ length: 5000 }, (_, index) => ((index * 7919) % 2_000_003) * 1000);
  const parts = [values.slice(0, 10), values.slice(10, 3000), values.slice(3000)].map(summariseLatencies);
  expect(mergeLatencies(parts)).toEqual(summariseLatencies(values));
});

test("the encoding is the one that HdrHistogram's plain implementation writes", () => {
  const plain = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: 86_400e9,
    numberOfSignificantValueDigits: 3,
    bitBucketSize: 64,
    autoResize: false,
    useWebAssembly: false,
  });
  const values = [0, 1, 44_000, 2_100_000, 10_000_000_000];
  for (const value of values) plain.recordValue(value);
  expect(summariseLatencies(values).hdr).toBe(encodeIntoCompressedBase64(plain));
});

test("beyond the range and below zero, values stay in the range", () => {
  const summary = summariseLatencies([-5, 1e18]);
  expect(summary.count).toBe(2);
  expect(summary.maxMs! / 86_400_000).toBeCloseTo(1, 2);
});

test("values at percentiles rise", () => {
  const { hdr } = summariseLatencies(milliseconds(1, 2, 3, 4, 100));
  const curve = latencyAtPercentiles(hdr, [0, 50, 90, 100]).map(({ valueMs }) => Math.round(valueMs));
  expect(curve).toEqual([1, 3, 100, 100]);
});
