import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { lockResultSchema } from "../../harness/results/lock-schema.ts";
import { armOf, folderForTest, leftovers, runLock, startHarness, until } from "./run-harness.ts";

const fixture = (name: string) => resolve("test/fixtures/locks", name);

describe("the experiment", () => {
  test("with trouble enough the control doubles jobs and the lock does not", async () => {
    const trouble = "redis-pause(at=0.5s, for=2s), worker-stop(at=1s, for=2.4s, target=worker:1)";
    const args = ["--duration", "8s", "--rounds", "2", "--rate", "600", "--job-time", "constant(2200ms)"];
    const { result, folder, exitCode } = await runLock([...args, "--faults", trouble, "--seed", "11"]);
    const [control, lock] = [armOf(result, "none"), armOf(result, "set-nx")];
    expect(control.jobs.concurrentDuplicates).toBeGreaterThan(0);
    expect(lock.jobs).toMatchObject({ duplicated: 0, lost: 0 });
    expect(control.jobs.lost).toBe(0);
    expect(lock.jobs.offered).toBe(lock.jobs.executed + lock.jobs.dropped + lock.jobs.lost);
    expect(lock.jobs.skipped).toBeGreaterThan(0);
    expect({ status: result.status, exitCode }).toEqual({ status: "passed", exitCode: 0 });
    for (const fault of result.faults) {
      expect(fault).not.toHaveProperty("error");
      expect(fault.healedAtMs! - fault.injectedAtMs!).toBeGreaterThan(1_500);
    }
    const html = readFileSync(join(folder, "report.html"), "utf8");
    expect(html).toContain("set-nx");
    const [header, first] = readFileSync(join(folder, "history.ndjson"), "utf8").split("\n", 2);
    expect(JSON.parse(header!)).toMatchObject({ schema: "harness.history/1", runId: result.id });
    expect(JSON.parse(first!)).toHaveProperty("atNs");
  });

  test("a lease shorter than the job: exclusion breaks as an expired hold, with evidence, exit 1", async () => {
    const args = ["--ttl", "500ms", "--job-time", "constant(3s)", "--duration", "4s", "--rounds", "1", "--rate", "120"];
    const { result, exitCode } = await runLock([...args, "--faults", "worker-stop(at=1s, for=1s)", "--seed", "3"]);
    const finding = result.findings.find(({ check }) => check === "exclusion");
    expect(finding).toMatchObject({ class: "expired hold", arm: "set-nx" });
    expect(finding!.evidence.map(({ op }) => op)).toContain("acquire");
    expect({ status: result.status, exitCode }).toEqual({ status: "failed", exitCode: 1 });
  });

  test("acknowledged after the release, jobs run again, one after the other, and the advice says why", async () => {
    const args = [
      "--ack",
      "after",
      "--duration",
      "8s",
      "--rounds",
      "2",
      "--rate",
      "1800",
      "--job-time",
      "constant(300ms)",
    ];
    const { result, exitCode } = await runLock([...args, "--faults", "redis-pause(at=1s, for=2s)", "--seed", "5"]);
    const lock = armOf(result, "set-nx");
    expect(lock.jobs.sequentialDuplicates).toBeGreaterThan(0);
    expect(result.findings).toContainEqual(
      expect.objectContaining({ check: "duplicates", class: "sequential", arm: "set-nx" }),
    );
    expect(result.advice.notes.map(({ text }) => text).join(" ")).toMatch(/--ack inside/);
    expect(exitCode).toBe(1);
  });

  test("where the control shows nothing the run has no power: unknown, exit 2, and what would do", async () => {
    const args = [
      "--faults",
      "jitter(base=0.2ms)",
      "--job-time",
      "constant(20ms)",
      "--duration",
      "3s",
      "--rounds",
      "1",
    ];
    const { result, exitCode } = await runLock(args);
    expect({ status: result.status, exitCode }).toEqual({ status: "unknown", exitCode: 2 });
    expect(result.statusReason).toMatch(/control/i);
    expect(result.faults.map(({ name }) => name)).toEqual(["latency", "latency", "latency"]);
  });

  test("without faults it is a measurement of cost, and says that it is no more", async () => {
    const args = ["--faults", "none", "--job-time", "constant(20ms)", "--duration", "2s", "--rounds", "1"];
    const { result, exitCode } = await runLock(args);
    expect({ status: result.status, exitCode }).toEqual({ status: "passed", exitCode: 0 });
    expect(result.statusReason).toMatch(/cost/i);
    expect(result.statusReason).toMatch(/safety/i);
  });

  test("--rate max counts cycles and nothing else", async () => {
    const { result, exitCode } = await runLock([
      "--rate",
      "max",
      "--faults",
      "none",
      "--duration",
      "2s",
      "--rounds",
      "1",
    ]);
    expect(exitCode).toBe(0);
    expect(result.arms.map(({ name }) => name)).toEqual(["set-nx"]);
    expect(armOf(result, "set-nx").cyclesPerSecond).toBeGreaterThan(0);
    expect(result.findings).toEqual([]);
  });

  test("one seed, one plan, byte for byte", async () => {
    const args = ["lock", "--dry-run", "--json", "--seed", "7"];
    const [first, again] = await Promise.all([0, 1].map(() => startHarness(args, folderForTest())));
    expect(first!.stdout).toBe(again!.stdout);
    const other = await startHarness([...args.slice(0, -1), "8"], folderForTest());
    expect(other.stdout).not.toBe(first!.stdout);
  });
});

describe("a user's lock", () => {
  const quick = ["--faults", "none", "--job-time", "constant(20ms)", "--duration", "2s", "--rounds", "1"];

  test("is an arm like any other, from a TypeScript file, and a broken one is found", async () => {
    const trouble = ["--faults", "worker-stop(at=1s, for=1s)", "--job-time", "constant(2500ms)", "--duration", "4s"];
    const { result, exitCode } = await runLock([...trouble, "--rounds", "1", "--lock", fixture("grants-always.ts")]);
    expect(result.findings).toContainEqual(expect.objectContaining({ check: "exclusion", arm: "grants-always" }));
    expect(exitCode).toBe(1);
  });

  test.each([
    ["refuses-to-start.ts", /LICENCE_KEY is not set/],
    ["without-release.cjs", /`release`/],
  ])("%s: its reason, exit 64", async (file, reason) => {
    const { exitCode, stderr } = await startHarness(["lock", ...quick, "--lock", fixture(file)], folderForTest());
    expect(stderr).toMatch(reason);
    expect(exitCode).toBe(64);
  });

  test.each([
    ["returns-true.ts", /acquire of .*returns-true\.ts returned true; it has to return \{ outcome: "granted"/],
    ["ends-its-process.ts", /ends-its-process\.ts crashes its workers: 5 of them .* last words: .*the pool is empty/],
  ])("%s breaks the run off by its name, exit 64", async (file, reason) => {
    const args = ["lock", "--duration", "1s", "--rounds", "1", "--faults", "none", "--workers", "2", "--no-control"];
    const { exitCode, stderr } = await startHarness([...args, "--lock", fixture(file)], folderForTest());
    expect(stderr).toMatch(reason);
    expect(exitCode).toBe(64);
  });

  test("a createLock that never resolves: its name within seconds, 64, nothing left", async () => {
    const harness = startHarness(["lock", ...quick, "--lock", fixture("never-made.ts")], folderForTest());
    const { exitCode, stderr } = await harness;
    expect(stderr).toMatch(/^createLock of .*never-made\.ts had not come back after 10 s\. Look for a promise/m);
    expect(exitCode).toBe(64);
    await until(() => leftovers(harness.pid!).length === 0);
  });

  test("a close() that never resolves: a finding that names it, and nothing left", async () => {
    const cwd = folderForTest();
    const args = ["lock", "--json", "--no-control", "--faults", "none", "--duration", "500ms", "--rounds", "1"];
    const harness = startHarness([...args, "--workers", "2", "--lock", fixture("never-closed.ts")], cwd);
    const { exitCode, stdout } = await harness;
    expect(lockResultSchema.parse(JSON.parse(stdout)).findings).toContainEqual(
      expect.objectContaining({
        ...{ check: "hygiene", arm: "never-closed", count: 2 },
        message: expect.stringMatching(/^close\(\) of the lock of worker [12] had not come back after 5 s/),
      }),
    );
    expect(exitCode).toBe(1);
    await until(() => leftovers(harness.pid!).length === 0);
  });

  test("a worker that crashes is seen, counted and replaced; its jobs come again", async () => {
    const { result } = await runLock([...quick, "--lock", fixture("crashes-on-third.ts")]);
    const arm = armOf(result, "crashes-on-third");
    expect(arm.crashes).toBeGreaterThan(0);
    expect(arm.jobs.lost).toBe(0);
  });
});
