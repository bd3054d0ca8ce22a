import { expect, test } from "vitest";
import { validityMs } from "../../../../workloads/locks/validity.ts";

test("is the TTL less what it took, 1 % of the TTL and 2 ms", () => {
  expect(validityMs(15_000, 0)).toBe(14_848);
  expect(validityMs(15_000, 50)).toBe(14_798);
  expect(validityMs(300, 100)).toBe(195);
});

test("is over when the majority came as late as the allowance reaches", () => {
  expect(validityMs(300, 295)).toBe(0);
  expect(validityMs(300, 400)).toBe(-105);
});
