import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** A package of its own with tests of locks and CRDTs, as a user would write them against the built package. */
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-user-"));
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "holdfast-user", type: "module" }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const holdfast = (entry: string) => resolve(`dist/harness/cli/${entry}.js`);
const lease = `ttl: "200ms", jobTime: "constant(1s)", visibility: 400, duration: 2_000, rounds: 1, rate: 120,
    faults: "worker-stop(at=1s, for=0.5s)", seed: 3`;

describe("node:test", () => {
  test("assertions pass, or show the finding and its evidence", async () => {
    writeFileSync(
      join(folder, "with-node-test.mjs"),
      `import { rejects, throws } from "node:assert";
import { test } from "node:test";
import { converge, runFolder, runLock, UsageError } from ${JSON.stringify(holdfast("library"))};
import { assertConverges, assertHolds } from ${JSON.stringify(holdfast("assert"))};

test("a lease shorter than the job", async () => {
  const lines = [];
  const result = await runLock({ ${lease}, onProgress: (line) => lines.push(line) });
  throws(() => assertHolds(result), (error) => {
    console.log("MESSAGE " + JSON.stringify(error.message));
    return error.code === "ERR_ASSERTION";
  });
  console.log("FOLDER " + runFolder(result));
  console.log("PROGRESS " + lines.length);
});

test("a counter", async () => {
  assertConverges(await converge({ crdt: "pn-counter", schedules: 300, seed: 5, threads: 0 }));
});

test("no such option", async () => {
  await rejects(runLock({ wrokers: 4 }), (error) => error instanceof UsageError && /Did you mean "workers"/.test(error.message));
});
`,
    );
    const { stdout, exitCode } = await execa(
      process.execPath,
      ["--test", "--test-reporter=tap", "with-node-test.mjs"],
      {
        cwd: folder,
        reject: false,
      },
    );
    expect(stdout).toMatch(/^# pass 3$/m);
    expect(exitCode).toBe(0);
    const message = JSON.parse(/# MESSAGE (.*)$/m.exec(stdout)?.[1]?.replaceAll("\\\\", "\\") ?? '""') as string;
    expect(message).toContain("set-nx did not hold");
    expect(message).toContain("exclusion: expired hold");
    expect(message).toMatch(/\+\d.* ms +worker \d +is granted the lock/);
    expect(message).toMatch(/Again: +npx harness lock .*--ttl 200ms .*--seed 3/);
    const stored = /# FOLDER (.*)$/m.exec(stdout)?.[1] ?? "";
    expect(JSON.parse(readFileSync(join(stored, "result.json"), "utf8"))).toMatchObject({ kind: "lock", seed: 3 });
    expect(existsSync(join(stored, "report.html"))).toBe(true);
    // The same options on the command line are the same plan: what --dry-run prints is what a run stores, byte for byte.
    const flags = ["--ttl", "200ms", "--job-time", "constant(1s)", "--visibility", "400ms", "--duration", "2s"];
    const more = ["--rounds", "1", "--rate", "120", "--faults", "worker-stop(at=1s, for=0.5s)", "--seed", "3"];
    const planned = await execa(
      process.execPath,
      [resolve("dist/harness/cli/bin.js"), "lock", "--dry-run", "--json", ...flags, ...more],
      {
        cwd: folder,
        stripFinalNewline: false,
      },
    );
    expect(planned.stdout).toBe(readFileSync(join(stored, "plan.json"), "utf8"));
    expect(Number(/# PROGRESS (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThan(0);
  });
});

describe("vitest", () => {
  test("the matchers pass, fail with a counterexample, and take neither side of what was not shown", async () => {
    writeFileSync(
      join(folder, "with-vitest.test.mjs"),
      `import { expect, test } from "vitest";
import { converge, runLock, runMatrix } from ${JSON.stringify(holdfast("library"))};
import ${JSON.stringify(holdfast("vitest"))};

test("a counter converges", async () => {
  const result = await converge({ crdt: ["pn-counter", "row-lww"], schedules: 300, seed: 5, threads: 1 });
  expect(result).toConverge("pn-counter");
  expect(result).not.toConverge("row-lww");
  expect(() => expect(result).toConverge()).toThrow(/row-lww did not converge[^]*Expected at[^]*Again: npx harness converge .*--index \\d+/);
});

test("a matrix", async () => {
  const result = await runMatrix({ lock: "set-nx", scenario: "slow-job", seed: 1 });
  expect(result.cells.map(({ verdict }) => verdict)).toEqual(["broke"]);
  expect(result).not.toHold();
  expect(() => expect(result).toHold("set-nx")).toThrow(/1 of 1 cells broke or hung[^]*set-nx in slow-job/);
});

test("a run without faults shows neither", async () => {
  const cost = await runLock({ faults: "none", duration: "1s", rounds: 1, jobTime: "5ms", workers: 1 });
  expect(() => expect(cost).toHold()).toThrow("measures cost");
  expect(() => expect(cost).not.toHold()).toThrow("measures cost");
  expect(() => expect(runLock).toHold()).toThrow("toHold judges a result of runLock");
  expect(() => expect(cost).toConverge()).toThrow("toConverge judges a result of converge; this is one of the kind lock");
});
`,
    );
    const vitest = resolve("node_modules/vitest/vitest.mjs");
    const { stdout, stderr, exitCode } = await execa(
      process.execPath,
      [vitest, "run", "--root", folder, "--reporter=json", "--testTimeout=60000"],
      { cwd: folder, reject: false },
    );
    const { numPassedTests, testResults } = JSON.parse(stdout) as { numPassedTests: number; testResults: unknown };
    expect({ numPassedTests, exitCode }, `${stderr}\n${JSON.stringify(testResults, null, 1)}`).toEqual({
      numPassedTests: 3,
      exitCode: 0,
    });
    expect(readdirSync(join(folder, "harness-results")).some((name) => name.startsWith("converge-"))).toBe(true);
  });
});
