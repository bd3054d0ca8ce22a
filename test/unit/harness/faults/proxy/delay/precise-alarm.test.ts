import { afterEach, expect, test, vi } from "vitest";
import { PreciseAlarm } from "../../../../../../harness/faults/proxy/delay/precise-alarm.ts";

afterEach(() => vi.restoreAllMocks());

/** The longest nap, ms, until an alarm that was set two milliseconds ahead has rung; 0 if it took none. */
async function longestNapMs(awaitsBytes?: () => boolean): Promise<number> {
  const naps = vi.spyOn(Atomics, "wait").mockClear();
  const atMs = performance.now() + 2;
  const rangAtMs = await new Promise<number>((resolve) => new PreciseAlarm(resolve, awaitsBytes).set(atMs));
  expect(rangAtMs).toBeGreaterThanOrEqual(atMs);
  return Math.max(0, ...naps.mock.calls.map(([, , , ms]) => ms as number));
}

/** A machine that is busy just then leaves it no time for a nap. */
async function untilItNaps(awaitsBytes?: () => boolean): Promise<number> {
  for (;;) {
    const ms = await longestNapMs(awaitsBytes);
    if (ms > 0) return ms;
  }
}

test("it naps on the way to its time, for 50 us at the most", async () => {
  expect(await untilItNaps()).toBeLessThanOrEqual(0.05);
});

test("while bytes are awaited at any moment its naps are short, since they are read at the end of one", async () => {
  expect(await untilItNaps(() => true)).toBeLessThanOrEqual(0.015);
});
