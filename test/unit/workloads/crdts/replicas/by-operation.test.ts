import { describe, expect, it } from "vitest";
import type { CrdtAdapter } from "../../../../../harness/contracts/crdt-adapter.ts";
import { ORACLE_NAMES } from "../../../../../harness/contracts/crdt-oracles.ts";
import { Executor } from "../../../../../harness/converge/campaign/executor.ts";
import { createAdapter as opCounter } from "../../../../../workloads/crdts/replicas/op-counter.ts";
import { createAdapter as opSet } from "../../../../../workloads/crdts/replicas/op-set.ts";

/** The oracles that speak within so many schedules. */
function alarms(adapter: CrdtAdapter, schedules: number): string[] {
  const plan = { seed: 7, regions: 3, minEvents: 60, maxEvents: 60, all: false };
  const executor = new Executor(adapter, plan);
  const { found } = executor.run({ first: 0, stride: 1, count: schedules, stopAt: ORACLE_NAMES });
  return found.map(({ oracle }) => oracle);
}

describe.each([
  ["op-counter", () => opCounter() as CrdtAdapter],
  ["op-set", () => opSet() as CrdtAdapter],
])("%s", (_, create) => {
  it("passes on what waits for its causes, and says so", () => {
    expect(alarms(create(), 600)).toEqual([]);
  });

  it("would be taken to show what it cannot know, if it did not say so", () => {
    expect(alarms({ ...create(), exportsPending: false }, 20_000)).toHaveLength(1);
  });
});
