import { execFileSync } from "node:child_process";
import { execa } from "execa";
import { describe, expect, test } from "vitest";
import { lockResultSchema } from "../../harness/results/lock-schema.ts";
import { readStoredRun } from "../../harness/results/recheck.ts";
import { bin, folderForTest, latestRun } from "./run-harness.ts";

/** A network of its own in which 127.0.0.1 is the only loopback address, as on macOS. It takes root. */
const alone = [
  "unshare",
  "--net",
  "sh",
  "-c",
  'ip link set lo up && ip addr del 127.0.0.1/8 dev lo && ip addr add 127.0.0.1/32 dev lo && exec "$@"',
  "sh",
] as const;

function canBeAlone(): boolean {
  try {
    execFileSync(alone[0], [...alone.slice(1), "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const load = ["--workers", "2", "--rounds", "1", "--rate", "600", "--job-time", "constant(20ms)"];

function lockAlone(args: readonly string[], cwd: string) {
  const [file, ...rest] = [...alone, process.execPath, bin, "lock", "--json", ...load, ...args];
  return execa(file, rest, { cwd, reject: false });
}

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

  test("under sentinels a killed primary is followed", async () => {
    const cwd = folderForTest();
    const faults = "redis-kill(target=node:1, at=0.3s, for=3s)";
    const args = ["--topology", "sentinel", "--no-control", "--duration", "4s", "--faults", faults];
    const { stdout, stderr } = await lockAlone(args, cwd);
    if (stdout === "") throw new Error(stderr);
    const result = lockResultSchema.parse(JSON.parse(stdout));
    expect(result.faults.map(({ name }) => name)).toContain("failover");
    expect(result.arms.map(({ jobs }) => jobs.lost)).toEqual([0]);
  });

  test("faults on the connections of replicas and sentinels are refused, with the reason", async () => {
    const args = ["--topology", "replicated", "--duration", "1s", "--faults", "redis-failover(at=0.2s)"];
    const { exitCode, stderr } = await lockAlone(args, folderForTest());
    expect({ exitCode, stderr }).toEqual({ exitCode: 69, stderr: expect.stringMatching(/one loopback address/) });
  });
});
