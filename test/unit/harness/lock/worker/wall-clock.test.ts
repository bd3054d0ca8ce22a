import { performance } from "node:perf_hooks";
import { afterEach, beforeEach, expect, test } from "vitest";
import { installWallClock, type WallClock } from "../../../../../harness/lock/worker/wall-clock.ts";

const trueNow = Date.now.bind(Date);
let clock: WallClock;

beforeEach(() => {
  clock = installWallClock();
});
afterEach(() => clock.uninstall());

/** Runs `read` between two readings of the true clock and gives how far it is off, at least and at most. */
function distanceOf(read: () => number): [number, number] {
  const before = trueNow();
  const value = read();
  return [value - trueNow(), value - before];
}

test("without a change it tells true time", () => {
  const [low, high] = distanceOf(() => Date.now());
  expect(low).toBeLessThanOrEqual(0);
  expect(high).toBeGreaterThanOrEqual(0);
});

test.each([
  ["Date.now()", () => Date.now()],
  ["new Date()", () => Date.parse(new Date().toISOString())],
  ["the string of Date()", () => Date.parse(Date()) + 999],
  ["the clock itself", () => clock.now()],
])("an offset reaches %s", (_, read) => {
  clock.change({ offsetMs: 60_000 });
  const [low, high] = distanceOf(read);
  expect(low).toBeLessThanOrEqual(60_999);
  expect(high).toBeGreaterThanOrEqual(60_000);
});

test("performance.timeOrigin moves with it, performance.now() does not", () => {
  const origin = performance.timeOrigin;
  const monotonic = performance.now();
  clock.change({ offsetMs: -5_000 });
  expect(performance.timeOrigin).toBe(origin - 5_000);
  expect(performance.now()).toBeGreaterThanOrEqual(monotonic);
});

test("given times are as ever, and dates are dates", () => {
  clock.change({ offsetMs: 3_600_000 });
  expect(new Date(0).toISOString()).toBe("1970-01-01T00:00:00.000Z");
  expect(new Date(2026, 0, 2).getDate()).toBe(2);
  expect(new Date()).toBeInstanceOf(Date);
  expect(Date.UTC(1970, 0, 1)).toBe(0);
  class Stamp extends Date {}
  expect(new Stamp()).toBeInstanceOf(Stamp);
});

test("steps add up, an offset replaces them", () => {
  clock.change({ stepMs: 1_000 });
  clock.change({ stepMs: 500 });
  expect(distanceOf(clock.now)[1]).toBeGreaterThanOrEqual(1_500);
  clock.change({ offsetMs: 0 });
  expect(distanceOf(clock.now)[0]).toBeLessThanOrEqual(0);
});

test("a speed makes the distance grow, and a change of speed keeps what has come together", async () => {
  clock.change({ speed: 100 });
  await new Promise((resolve) => setTimeout(resolve, 20));
  clock.change({ speed: 1 });
  const kept = distanceOf(clock.now)[1];
  expect(kept).toBeGreaterThanOrEqual(19 * 99);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(distanceOf(clock.now)[0]).toBeLessThanOrEqual(kept + 1);
});
