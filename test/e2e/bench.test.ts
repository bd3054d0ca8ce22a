import { join } from "node:path";
import { expect, test } from "vitest";
import { benchResultSchema } from "../../harness/results/bench-schema.ts";
import { folderForTest, startHarness } from "./run-harness.ts";

const short = ["--time", "20ms", "--rounds", "2"];

test("locks, the proxy, a data type and the clock are timed, against their peers, and two results compare", async () => {
  const folder = folderForTest();
  const names = ["lock", "proxy", "crdt/pn-counter", "clock", "measure"];
  const { stdout, stderr, exitCode } = await startHarness(["bench", ...names, ...short, "--json"], folder);
  expect(exitCode, stderr).toBe(0);
  const { benchmarks, environment } = benchResultSchema.parse(JSON.parse(stdout));
  expect(benchmarks.map(({ name }) => name)).toEqual([
    "lock/bare-ioredis",
    "lock/set-nx",
    "lock/set-nx-renewing",
    "lock/set-nx-fenced",
    "lock/set-nx-done-marker",
    "lock/redlock",
    "proxy/direct",
    "proxy/through",
    "crdt/pn-counter/apply",
    "crdt/pn-counter/receive",
    "clock/hlc-now",
    "clock/hlc-receive",
    "measure/histogram-record",
  ]);
  for (const { name, p50, rounds, samples } of benchmarks) {
    expect(p50, name).toBeGreaterThan(0);
    expect(rounds).toHaveLength(2);
    expect(samples).toBeGreaterThan(5);
  }
  const through = benchmarks.find(({ name }) => name === "proxy/through");
  expect(through?.ratioTo?.name).toBe("proxy/direct");
  expect(environment.redis?.version).toMatch(/^\d/);

  await startHarness(["bench", "clock", ...short, "--quiet"], folder);
  const first = join("harness-results", "latest");
  const compared = await startHarness(["compare", first, first, "--json", "--reporter", "html"], folder);
  expect(JSON.parse(compared.stdout)).toMatchObject({ kind: "compare" });
});

test.each([
  [["bench", "lock/setnx"], 'There is no benchmark "lock/setnx". Did you mean "lock/set-nx"?', 64],
  [["bench", "--time", "20"], '"20" has no unit', 64],
])("%j is refused", async (args, message, code) => {
  const { stderr, exitCode } = await startHarness(args, folderForTest());
  expect(stderr).toContain(message);
  expect(exitCode).toBe(code);
});
