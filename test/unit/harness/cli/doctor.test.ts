import { expect, test } from "vitest";
import { examineNode, examinePorts } from "../../../../harness/cli/doctor/machine.ts";
import { examineNoise, examineTimers } from "../../../../harness/cli/doctor/timing.ts";

test.each([
  ["20.19.0", "fine"],
  ["22.1.0", "fine"],
  ["20.18.9", "missing"],
  ["18.20.0", "missing"],
])("Node %s is %s", (version, state) => {
  expect(examineNode(version).state).toBe(state);
});

test("ports are tried out", async () => {
  expect((await examinePorts()).topic).toBe("ports");
});

test("timers and noise are figures, not verdicts on correctness", async () => {
  const timers = await examineTimers(5);
  expect(timers.facts?.p99Ms).toBeGreaterThanOrEqual(timers.facts?.p50Ms as number);
  expect(timers.state).not.toBe("missing");
  expect(examineNoise(5).state).not.toBe("missing");
});
