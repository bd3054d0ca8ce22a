import { afterEach, expect, test, vi } from "vitest";
import { PreciseAlarm } from "../../../../../../harness/faults/proxy/delay/precise-alarm.ts";

afterEach(() => vi.restoreAllMocks());

/** Naps until an alarm that was set two milliseconds ahead has rung. */
async function napsUntilTheAlarm(awaitsBytes?: () => boolean): Promise<number> {
  const naps = vi.spyOn(Atomics, "wait").mockClear();
  const atMs = performance.now() + 2;
  const rangAtMs = await new Promise<number>((resolve) => new PreciseAlarm(resolve, awaitsBytes).set(atMs));
  expect(rangAtMs).toBeGreaterThanOrEqual(atMs);
  return naps.mock.calls.length;
}

test("it naps on the way to its time", async () => {
  // A machine that is busy just then leaves it no time for one.
  while ((await napsUntilTheAlarm()) === 0);
});

test("while bytes are awaited at any moment it takes no nap, at whose end only they would be read", async () => {
  expect(await napsUntilTheAlarm(() => true)).toBe(0);
});
