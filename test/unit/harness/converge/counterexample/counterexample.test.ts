import { describe, expect, test } from "vitest";
import { counterexample, tell } from "../../../../../harness/converge/counterexample/counterexample.ts";
import { unfinished } from "../../../../../harness/converge/counterexample/unfinished.ts";
import { Generator } from "../../../../../harness/converge/plan/generate.ts";
import { POOLS } from "../../../../../harness/converge/plan/pool.ts";
import { possibleKinds } from "../../../../../harness/converge/run/possible-kinds.ts";
import { Runner } from "../../../../../harness/converge/run/runner.ts";
import { convergeStepSchema } from "../../../../../harness/results/converge-schema.ts";
import { documentAdapter, type Mistake } from "../../../../fixtures/converge/document.ts";

function firstFailure(mistake: Mistake, oracle: string, where: "at an event" | "at the end" = "at an event") {
  const runner = new Runner(documentAdapter(mistake), { regions: 3, maxEvents: 60 });
  const generator = new Generator({
    seed: 5,
    minEvents: 60,
    maxEvents: 60,
    pools: POOLS,
    kinds: possibleKinds(runner.world),
  });
  for (let index = 0; index < 5_000; index++) {
    const schedule = generator.generate(index);
    const failure = runner.run(schedule, true);
    const isThere = failure?.oracle === oracle && (failure.event === 60) === (where === "at the end");
    if (isThere) return { runner, schedule: schedule.slice() };
  }
  throw new Error(`${oracle} was not found`);
}

describe("a counterexample", () => {
  const { runner, schedule } = firstFailure("receive-ignores-wall", "HLC-RECEIVE");
  const found = counterexample(runner, schedule, "HLC-RECEIVE", true)!;

  test("is told in a few steps, with what was expected and what was seen", () => {
    expect(found.steps.map(({ text }) => text)).toEqual(["fra sends m0 (state) to cai", "cai receives m0 of fra"]);
    expect(found).toMatchObject({ eventsBefore: 60, eventsAfter: 2, failedAt: 1, region: 1 });
    expect(found).toMatchObject({
      expected: "a stamp above the remote (0, 0) and the own (0, 0), not below the wall clock 100000000",
      actual: "(0, 1)",
    });
    expect(found.values).toEqual(Array(3).fill("{counters: {}, fields: {}, sets: {}}"));
  });

  test("has what a space-time diagram takes: messages with both ends, clocks, values", () => {
    for (const step of found.steps) convergeStepSchema.parse(step);
    expect(found.steps[0]).toMatchObject({ kind: "send", region: 0, sent: [{ number: 0, from: 0, to: 1 }] });
    expect(found.steps[1]).toMatchObject({ kind: "deliver", region: 1, received: { number: 0, from: 0, to: 1 } });
    expect(found.steps[1]).toMatchObject({ clock: { wallMs: 100_000_000, l: 0, c: 1 } });
    expect(found.steps[0]).toMatchObject({ value: "{counters: {}, fields: {}, sets: {}}" });
  });

  test("is the same, byte for byte, in a world that ran nothing before", () => {
    const fresh = firstFailure("receive-ignores-wall", "HLC-RECEIVE");
    const again = counterexample(fresh.runner, fresh.schedule, "HLC-RECEIVE", true);
    expect(JSON.stringify(again)).toBe(JSON.stringify(found));
  });

  test("fails again when its own schedule runs", () => {
    const replayed = tell(runner, Int32Array.from(found.schedule), found.deep);
    expect(replayed).toEqual({ ...found, eventsBefore: 2 });
  });

  test("is none when the schedule fails by another oracle", () => {
    expect(counterexample(runner, schedule, "CAUSALITY", true)).toBeUndefined();
  });
});

test("a step that throws is told as the last one", () => {
  const { runner, schedule } = firstFailure("throws", "CRASH");
  const found = counterexample(runner, schedule, "CRASH", true)!;
  expect(found.steps).toHaveLength(7);
  expect(found.steps.at(-1)?.text).toBe("fra sets fields.a to 6");
  expect(found).toMatchObject({
    failedAt: 6,
    expected: "no exception",
    actual: "threw Error: more operations than expected",
  });
});

test("a failure at the end is told with the exchange, and one step for each region", () => {
  const { runner, schedule } = firstFailure("no-tombstone", "RESURRECTED", "at the end");
  const found = counterexample(runner, schedule, "RESURRECTED", true)!;
  expect(found.steps.map(({ kind }) => kind)).toEqual([
    "operation",
    "send",
    "deliver",
    "operation",
    "exchange",
    "exchange",
    "exchange",
  ]);
  expect(found.failedAt).toBe(7);
});

test("a schedule that never came back is told up to the event that did not", () => {
  const { runner, schedule } = firstFailure("no-tombstone", "RESURRECTED");
  const told = unfinished(runner, schedule, false, 10, "did not return within 5000 ms");
  expect(told.steps).toHaveLength(11);
  expect(told.steps.at(-1)?.text).toMatch(/^\w+ in \w+ did not return within 5000 ms$/);
  expect(told).toMatchObject({ oracle: "CRASH", failedAt: 10, eventsBefore: 60, eventsAfter: 11 });
});
