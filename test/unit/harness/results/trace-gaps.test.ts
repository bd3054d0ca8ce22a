import { expect, test } from "vitest";
import { traceDelays, traceGaps } from "../../../../harness/results/trace-gaps.ts";
import { blind, command, planOf, runOf } from "../checks/hand-written.ts";

test("gaps of lock arms are told, those of controls are not", () => {
  const events = [blind(500, 200), blind(900, 50, 2)];
  const gapsOf = (arm: string) => traceGaps(runOf(events, {}, arm).armRounds, planOf());
  expect(gapsOf("set-nx")).toEqual([
    expect.stringMatching(/^The command trace of set-nx was interrupted 2 times, for 250 ms/),
  ]);
  expect(gapsOf("none")).toEqual([]);
  expect(traceGaps(runOf([]).armRounds, planOf())).toEqual([]);
});

test("a trace that was read late is told, and commands of which nobody knows the time", () => {
  const at = (atMs: number, serverMs: number) => command(atMs, "SET k1 t1 NX PX 1000", { serverMs });
  const delaysOf = (...events: ReturnType<typeof at>[]) => traceDelays(runOf(events).armRounds, planOf());
  expect(delaysOf(at(5, 5), at(200, 10))).toEqual([]);
  expect(delaysOf(at(5, 5), at(3200, 10))).toEqual([expect.stringMatching(/ was read up to 3\.19\d? s late/)]);
  expect(delaysOf(at(5, 5), at(8200, 10))).toEqual([expect.stringMatching(/^Of 1 of 2 traced commands of /)]);
});
