import { expect, test } from "vitest";
import { randomStream } from "../../../harness/random-stream.ts";

const draw = (...from: Parameters<typeof randomStream>) => {
  const stream = randomStream(...from);
  return Array.from({ length: 20 }, () => stream.whole(0, 1_000_000));
};

test("a stream depends on its seed and its purpose alone", () => {
  expect(draw(7, "arrivals", 1)).toEqual(draw(7, "arrivals", 1));
  const streams = [
    draw(7, "arrivals", 1),
    draw(7, "arrivals", 2),
    draw(7, "keys", 1),
    draw(8, "arrivals", 1),
    draw(0, ""),
  ];
  expect(new Set(streams.map(String)).size).toBe(streams.length);
});

test("seeds side by side give unlike streams", () => {
  const first = Array.from({ length: 1_000 }, (_, seed) => randomStream(seed, "x").float());
  expect(new Set(first).size).toBeGreaterThan(995);
  const mean = first.reduce((sum, value) => sum + value, 0) / first.length;
  expect(Math.abs(mean - 0.5)).toBeLessThan(0.03);
});

test("picks one of several, and refuses to pick from nothing", () => {
  const stream = randomStream(1, "pick");
  expect(["a", "b"]).toContain(stream.pick(["a", "b"]));
  expect(() => stream.pick([])).toThrow("Nothing to pick from");
});
