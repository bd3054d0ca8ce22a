import { expect, it } from "vitest";
import { Stall } from "../../../../../harness/converge/thread/stall.ts";

it("grows while nothing moves, and begins anew when something does", () => {
  const stall = new Stall(100);
  expect([0, 100, 250].map((nowMs) => stall.look("1", nowMs))).toEqual([0, 100, 250]);
  expect([300, 400].map((nowMs) => stall.look("2", nowMs))).toEqual([0, 100]);
});

it("does not take the sleep of the machine for a stall", () => {
  const stall = new Stall(100);
  stall.look("1", 0);
  expect(stall.look("1", 3_600_000)).toBe(200);
  expect(stall.look("1", 3_600_100)).toBe(300);
});
