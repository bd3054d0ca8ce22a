import { expect, test } from "vitest";
import { traceGaps } from "../../../../harness/results/trace-gaps.ts";
import { blind, planOf, runOf } from "../checks/hand-written.ts";

test("gaps of lock arms are told, those of controls are not", () => {
  const events = [blind(500, 200), blind(900, 50, 2)];
  const gapsOf = (arm: string) => traceGaps(runOf(events, {}, arm).armRounds, planOf());
  expect(gapsOf("set-nx")).toEqual([
    expect.stringMatching(/^The command trace of set-nx was interrupted 2 times, for 250 ms/),
  ]);
  expect(gapsOf("none")).toEqual([]);
  expect(traceGaps(runOf([]).armRounds, planOf())).toEqual([]);
});
