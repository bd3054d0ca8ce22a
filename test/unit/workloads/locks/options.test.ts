import { expect, test } from "vitest";
import { milliseconds, readOptions } from "../../../../workloads/locks/options.ts";

test("takes numbers and words for numbers", () => {
  const shape = { renewEveryMs: milliseconds.optional() };
  expect(readOptions("lock", shape, { renewEveryMs: 200 })).toEqual({ renewEveryMs: 200 });
  expect(readOptions("lock", shape, { renewEveryMs: "200" })).toEqual({ renewEveryMs: 200 });
  expect(readOptions("lock", shape, {})).toEqual({});
});

test("refuses what the lock does not understand, with what it does", () => {
  expect(() => readOptions("set-nx", {}, { retries: 3 })).toThrow(/options of set-nx: .*retries.*understands none/);
  expect(() => readOptions("lock", { everyMs: milliseconds }, { everyMs: -1 })).toThrow(
    /options of lock: everyMs.*It understands everyMs\./,
  );
});
