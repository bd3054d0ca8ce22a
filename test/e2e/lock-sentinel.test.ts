import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lockResultSchema } from "../../harness/results/lock-schema.ts";
import { canBeAlone, lockAlone } from "./one-loopback-address.ts";
import { folderForTest, type LockRun, runLock, startHarness } from "./run-harness.ts";

/** One control is enough here: acknowledged after the release, the literal one is left out. */
const base = ["--topology", "sentinel", "--rounds", "1", "--workers", "2", "--rate", "300", "--ack", "after"];

const faultErrors = ({ result }: LockRun) => result.faults.flatMap(({ error }) => error ?? []);
const ofLock = ({ result }: LockRun, name: string) =>
  result.faults.filter((fault) => fault.arm === "set-nx" && fault.name === name);
const exclusion = ({ result }: LockRun) =>
  result.findings.filter(({ check, arm }) => check === "exclusion" && arm === "set-nx").map(({ class: kind }) => kind);

describe("sentinels say who the primary is", () => {
  test("the primary is killed: another is promoted, jobs flow again, and the report says after how long", async () => {
    const trouble = ["--duration", "7s", "--job-time", "constant(20ms)"];
    const run = await runLock([...base, ...trouble, "--faults", "redis-kill(target=node:1, at=0.5s, for=5s)"]);
    expect(faultErrors(run)).toEqual([]);
    expect(ofLock(run, "failover")).toEqual([
      expect.objectContaining({ target: expect.stringMatching(/^node:[23]$/) }),
    ]);
    const [kill] = ofLock(run, "redis-kill");
    // Nobody takes a server for dead before it has been silent for a second.
    expect(kill!.grantsAgainAfterMs).toBeGreaterThan(900);
    expect(run.result.arms.every(({ jobs }) => jobs.lost === 0)).toBe(true);
    expect(await report(run)).toMatch(/grants flowed again [\d.]+ s after it/);
  });

  test("writes that no replica got: two hold one key, and the failover is named", async () => {
    const trouble = ["--duration", "4s", "--visibility", "1s", "--ttl", "30s", "--concurrency", "64"];
    const fault = "redis-failover(at=0.2s, lag=1s)";
    const run = await runLock([...base, ...trouble, "--job-time", "constant(5s)", "--faults", fault]);
    expect(faultErrors(run)).toEqual([]);
    expect(exclusion(run)).toContain("broken assumption");
  });

  test("an old primary on the small side of a partition keeps granting", async () => {
    const cut = "partition(a=node:1, b=node:2+node:3+sentinel:1+sentinel:2+sentinel:3, at=0.3s)";
    const trouble = ["--duration", "6s", "--visibility", "1s", "--ttl", "2500ms", "--keys", "1", "--on-skip", "drop"];
    const faults = `${cut}, refuse(target=client:2-node:1, at=0.3s)`;
    // One key, and jobs longer than the gaps between them: on each side somebody holds it nearly all the time, as soon as
    // what the replicas had of it at the cut is over.
    const run = await runLock([...base, ...trouble, "--job-time", "constant(1200ms)", "--faults", faults]);
    expect(faultErrors(run)).toEqual([]);
    expect(exclusion(run)).toContain("broken assumption");
  });

  test.runIf(canBeAlone())("a killed primary is followed where there is one loopback address", async () => {
    const cwd = folderForTest();
    const faults = "redis-kill(target=node:1, at=0.3s, for=3s)";
    const args = ["--topology", "sentinel", "--no-control", "--duration", "4s", "--faults", faults];
    const { stdout, stderr } = await lockAlone(args, cwd);
    if (stdout === "") throw new Error(stderr);
    const result = lockResultSchema.parse(JSON.parse(stdout));
    expect(result.faults.map(({ name }) => name)).toContain("failover");
    expect(result.arms.map(({ jobs }) => jobs.lost)).toEqual([0]);
  });

  test("a lock that cannot follow them is refused before anything starts", async () => {
    const args = ["lock", "--topology", "sentinel", "--lock", "simple-redis-mutex"];
    const { exitCode, stderr } = await startHarness(args, folderForTest());
    expect({ exitCode, stderr }).toEqual({ exitCode: 64, stderr: expect.stringMatching(/sentinels/) });
  });
});

/** The Markdown report of the run, which has the advice that the terminal leaves out. */
async function report({ folder }: LockRun): Promise<string> {
  const { exitCode } = await startHarness(["report", folder, "--reporter", "markdown"], folder);
  expect(exitCode).toBe(0);
  return readFileSync(join(folder, "report.md"), "utf8");
}
