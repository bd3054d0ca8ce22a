import { describe, expect, test } from "vitest";
import { lockResultSchema } from "../../harness/results/lock-schema.ts";
import { readStoredRun } from "../../harness/results/recheck.ts";
import { canBeAlone, lockAlone } from "./one-loopback-address.ts";
import { folderForTest, latestRun } from "./run-harness.ts";

describe.runIf(canBeAlone())("a system with one loopback address", () => {
  test("jobs flow, and a fault still meets the client that it is aimed at and no other", async () => {
    const cwd = folderForTest();
    const faults = "error-reply(command=SET, error=OOM, target=client:1-node:1, for=1s)";
    const { stdout, stderr } = await lockAlone(["--duration", "1s", "--visibility", "500ms", "--faults", faults], cwd);
    if (stdout === "") throw new Error(stderr);
    const result = lockResultSchema.parse(JSON.parse(stdout));
    expect(result.arms.map(({ jobs }) => jobs.lost)).toEqual([0, 0, 0]);
    expect(result.faults.flatMap(({ error }) => error ?? [])).toEqual([]);
    const { armRounds } = await readStoredRun(latestRun(cwd));
    const refusedWorkers = armRounds
      .flatMap(({ events }) => events)
      .filter(({ op, error }) => op === "acquire" && error?.includes("OOM"))
      .map(({ worker }) => worker);
    expect([...new Set(refusedWorkers)]).toEqual([1]);
  });

  test("faults on the connections of replicas and sentinels are refused, with the reason", async () => {
    const args = ["--topology", "replicated", "--duration", "1s", "--faults", "redis-failover(at=0.2s)"];
    const { exitCode, stderr } = await lockAlone(args, folderForTest());
    expect({ exitCode, stderr }).toEqual({ exitCode: 69, stderr: expect.stringMatching(/one loopback address/) });
  });
});
