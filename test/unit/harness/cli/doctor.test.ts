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

test("where 127.0.0.1 is the only loopback address, it says what does not work there", async () => {
  const alone = (host: string) =>
    host === "127.0.0.1" ? Promise.resolve() : Promise.reject(new Error("EADDRNOTAVAIL"));
  expect(await examinePorts(alone)).toMatchObject({
    state: "mind",
    text: expect.stringMatching(/EADDRNOTAVAIL.*ports of their own.*redis-failover, are refused/),
  });
});

test("timers and noise are figures, not verdicts on correctness", async () => {
  const timers = await examineTimers(5);
  expect(timers.facts?.p99Ms).toBeGreaterThanOrEqual(timers.facts?.p50Ms as number);
  expect(timers.state).not.toBe("missing");
  expect(examineNoise(5).state).not.toBe("missing");
});
