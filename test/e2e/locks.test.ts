import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { HistoryEvent } from "../../harness/contracts/history.ts";
import { lockRegistry } from "../../workloads/locks/registry.ts";
import { armOf, folderForTest, runLock, startHarness } from "./run-harness.ts";

const noTrouble = ["--faults", "none", "--rounds", "1", "--rate", "600", "--workers", "2"];
const quiet = [...noTrouble, "--job-time", "constant(5ms)"];

function historyOf(folder: string): HistoryEvent[] {
  const lines = readFileSync(join(folder, "history.ndjson"), "utf8").trim().split("\n").slice(1);
  return lines.map((line) => JSON.parse(line) as HistoryEvent);
}

describe("locks from npm, built and in real workers", () => {
  const oneNode = ["redis-semaphore", "redlock-universal", "redlock-universal-using", "node-redis-warlock"];
  const others = ["simple-redis-mutex", "ioredis-lock", "redislock", "murlock"];

  const quorum = ["redlock", "redlock-4", "redlock-5", "redlock-5-using", "sesamecare-redlock"];
  const otherQuorum = ["sesamecare-redlock-using", "redis-semaphore-redlock", "redlock-universal-redlock"];
  const rest = ["redlock-universal-redlock-using", "redis-kit-lock", "redis-kit-lock-auto"];

  test.each([
    ["single", oneNode],
    ["single", others],
    ["redlock", quorum],
    ["redlock", [...otherQuorum, ...rest]],
  ])("topology %s: %j each execute every job under their own lock", async (topology, locks) => {
    const args = [...locks.flatMap((lock) => ["--lock", lock]), "--topology", topology];
    const { result, folder, exitCode } = await runLock([...quiet, ...args, "--duration", "1s", "--seed", "7"]);
    const history = historyOf(folder);
    for (const lock of locks) {
      const { jobs } = armOf(result, lock);
      expect(jobs).toMatchObject({ duplicated: 0, lost: 0, executed: jobs.offered });
      const grants = history.filter(({ arm, op, phase }) => arm === lock && op === "acquire" && phase === "ok");
      expect(grants.length).toBeGreaterThanOrEqual(jobs.executed);
    }
    expect({ status: result.status, exitCode }).toEqual({ status: "passed", exitCode: 0 });
  });
});

describe("BullMQ", () => {
  test("as queue and lock: a stopped worker's job stalls, runs again, and the first run goes on to its effect", async () => {
    const queue = "bullmq(lockDurationMs=1s, stalledIntervalMs=300ms)";
    const { result, folder } = await runLock([
      ...["--lock", "bullmq", "--queue", queue, "--ttl", "1s", "--workers", "2", "--rate", "600", "--rounds", "1"],
      ...["--job-time", "constant(600ms)", "--duration", "6s", "--seed", "1"],
      ...["--faults", "worker-stop(at=1s, for=3s, target=worker:1)"],
    ]);
    expect(armOf(result, "bullmq").jobs).toMatchObject({ lost: 0 });
    const history = historyOf(folder);
    const words = (outcome: string) => history.filter((event) => event.op === "queue" && event.outcome === outcome);
    expect(words("stalled").length).toBeGreaterThan(0);
    expect(words("lock lost").map(({ worker }) => worker)).toContain(1);
    const duplicated = result.arms.reduce((sum, { jobs }) => sum + jobs.duplicated, 0);
    expect(duplicated).toBeGreaterThan(0);
    expect(history).toContainEqual(expect.objectContaining({ op: "ack", phase: "fail", outcome: "gone" }));
  });

  test("fetched and completed by hand, jobs are acknowledged inside the lock", async () => {
    const args = ["--lock", "set-nx", "--queue", "bullmq-manual", "--ack", "inside", "--duration", "1s", "--seed", "1"];
    const { result, exitCode } = await runLock([...quiet, ...args]);
    const { jobs } = armOf(result, "set-nx");
    expect(jobs).toMatchObject({ duplicated: 0, lost: 0, executed: jobs.offered });
    expect(exitCode).toBe(0);
  });
});

describe("jobs", () => {
  test("read-modify-write: the control loses updates, and the witness shows it; under a lock every one is there", async () => {
    const args = [
      "--job",
      "read-modify-write",
      "--keys",
      "3",
      "--visibility",
      "300ms",
      "--duration",
      "2s",
      "--seed",
      "4",
    ];
    const { result, folder } = await runLock([
      ...noTrouble,
      ...args,
      "--lock",
      "set-nx",
      "--job-time",
      "constant(30ms)",
    ]);
    const history = historyOf(folder);
    const writes = (arm: string) => history.filter((event) => event.arm === arm && event.op === "witness");
    const lastValues = (arm: string) =>
      new Map(writes(arm).map(({ detail }) => [detail?.document, Number(detail?.value)] as const));
    const total = (arm: string) => [...lastValues(arm).values()].reduce((sum, value) => sum + value, 0);
    const { jobs } = armOf(result, "set-nx");
    expect(total("set-nx")).toBe(jobs.executed);
    expect(jobs.executed).toBe(jobs.offered);
    expect(total("none")).toBeLessThan(writes("none").length);
    expect(result.findings.filter(({ class: kind }) => kind === "lost update")).toEqual([]);
  });

  test("invoice with fencing: a holder that was stopped beyond its lease is refused by its old token", async () => {
    const { result, folder } = await runLock([
      ...["--job", "invoice", "--lock", "set-nx-fenced", "--ttl", "400ms", "--visibility", "300ms", "--workers", "2"],
      ...["--keys", "1", "--rate", "300", "--job-time", "constant(60ms)", "--duration", "4s", "--rounds", "1"],
      ...["--faults", "worker-stop(on=grant, nth=3, target=worker:1, for=1.5s)", "--seed", "5", "--ack", "after"],
    ]);
    const fenced = historyOf(folder).filter(({ op, outcome }) => op === "witness" && outcome === "fenced");
    expect(fenced.length).toBeGreaterThan(0);
    expect(fenced[0]).toMatchObject({ arm: "set-nx-fenced", worker: 0, fencingToken: expect.any(Number) });
    for (const arm of ["set-nx-fenced", "none"]) expect(armOf(result, arm).jobs.lost).toBe(0);
  });

  test("a job that needs a fencing token is refused for a lock that mints none", async () => {
    const { stderr, exitCode } = await startHarness(["lock", "--job", "invoice", "--lock", "set-nx"], folderForTest());
    expect(stderr).toContain("needs a fencing token");
    expect(exitCode).toBe(64);
  });
});

test.each([
  [["--lock", "bullmq", "--queue", "streams"], "use --queue bullmq, or leave --queue out"],
  [["--queue", "bullmq", "--ack", "inside"], "Use --ack after, or --queue bullmq-manual"],
  [["--lock", "redlock-5"], "needs 5 independent Redis nodes"],
])("%j is refused before anything starts", async (args, message) => {
  const { stderr, exitCode } = await startHarness(["lock", ...args], folderForTest());
  expect(stderr).toContain(message);
  expect(exitCode).toBe(64);
});

test("a package that is not installed ends with 69, and with what to install, before anything starts", async () => {
  const adapter = resolve("test/fixtures/locks/needs-a-package.mjs");
  const { stderr, exitCode } = await startHarness(["lock", "--lock", adapter], folderForTest());
  expect(stderr).toContain("no-such-lock-library is not installed");
  expect(stderr).toContain("npm install no-such-lock-library@1.2.3");
  expect(exitCode).toBe(69);
});

test("every lock of the registry is built", () => {
  for (const { module } of lockRegistry) expect(existsSync(`dist/workloads/${module}.js`)).toBe(true);
});
