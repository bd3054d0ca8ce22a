import { expect, test } from "vitest";
import { watchPressure } from "../../../../harness/matrix/pressure.ts";

test("pressure is high for a while after a timer that came late", () => {
  let now = 0;
  let tick: () => void = () => {};
  let everyMs = 0;
  let ended = false;
  const pressure = watchPressure({
    nowMs: () => now,
    repeat(each, every) {
      tick = each;
      everyMs = every;
      return () => {
        ended = true;
      };
    },
  });
  const after = (ms: number) => {
    now += ms;
    tick();
  };
  for (let turn = 0; turn < 5; turn += 1) after(everyMs + 5);
  expect(pressure.isHigh()).toBe(false);
  after(everyMs + 100);
  expect(pressure.isHigh()).toBe(true);
  after(everyMs);
  expect(pressure.isHigh()).toBe(true);
  now += 1_000;
  expect(pressure.isHigh()).toBe(false);
  pressure.close();
  expect(ended).toBe(true);
});
