import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const bin = resolve("dist/harness/cli/bin.js");
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-converge-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const harness = (...args: string[]) => execa(process.execPath, [bin, ...args], { cwd: folder, reject: false });

test("a correct type passes; plan, result and report are stored", async () => {
  const { stdout, exitCode } = await harness(
    "converge",
    "--schedules",
    "200",
    "--seed",
    "7",
    "--json",
    "--threads",
    "2",
  );
  expect(exitCode).toBe(0);
  const result = JSON.parse(stdout);
  expect(result).toMatchObject({ kind: "converge", status: "passed", seed: 7, threads: 2, findings: [] });
  expect(result.crdts[0]).toMatchObject({ name: "document", schedules: 200 });
  const latest = join(folder, "harness-results", "latest");
  expect(readdirSync(latest)).toEqual(expect.arrayContaining(["plan.json", "report.html", "result.json"]));
  expect(JSON.parse(readFileSync(join(latest, "result.json"), "utf8"))).toEqual(result);
});

describe("a wrong one fails, with counterexamples", () => {
  test("that run again by their command and by their file, each by the same oracle", async () => {
    const first = await harness("converge", "--crdt", "row-lww", "--schedules", "20", "--seed", "7", "--json");
    expect(first.exitCode).toBe(1);
    const result = JSON.parse(first.stdout);
    expect(result.findings.length).toBeGreaterThan(0);
    const [failure] = result.crdts[0].failures;
    const file = join("harness-results", "latest", failure.file);
    const replayed = await harness("replay", file, "--json");
    expect(replayed.exitCode).toBe(1);
    const [again] = JSON.parse(replayed.stdout).crdts[0].failures;
    expect(again).toMatchObject({
      oracle: failure.oracle,
      steps: failure.steps,
      expected: failure.expected,
      actual: failure.actual,
    });

    const command = failure.replay.replace(/^npx harness /, "").split(" ");
    const byCommand = await harness(...command, "--json");
    expect(byCommand.exitCode).toBe(1);
    expect(JSON.parse(byCommand.stdout).crdts[0].failures[0]).toMatchObject({
      oracle: failure.oracle,
      index: failure.index,
    });
  });

  test("a counterexample of a type that was mended passes", async () => {
    const first = await harness(
      "converge",
      "--crdt",
      "broken/tombstones-not-merged",
      "--schedules",
      "200",
      "--seed",
      "7",
      "--json",
    );
    const [failure] = JSON.parse(first.stdout).crdts[0].failures;
    const path = join(folder, "harness-results", "latest", failure.file);
    const mended = readFileSync(path, "utf8").replaceAll("broken/tombstones-not-merged", "document");
    writeFileSync(join(folder, "mended.json"), mended);
    const { stdout, exitCode } = await harness("replay", "mended.json");
    expect(stdout).toContain("and does no longer");
    expect(exitCode).toBe(0);
  });
});

test("every short schedule", async () => {
  const args = ["converge", "--crdt", "pn-counter", "--regions", "2", "--exhaustive", "--depth", "2", "--json"];
  const { stdout, exitCode } = await harness(...args);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).crdts[0].exhaustive).toMatchObject({ depth: 2, exhausted: true });
});

test("the zoo: what is broken on purpose is found out", async () => {
  const { stdout, exitCode } = await harness(
    "converge",
    "--zoo",
    "--crdt",
    "broken/no-tombstone,broken/merge-by-sum",
    "--json",
  );
  expect(exitCode).toBe(0);
  const { crdts, findings } = JSON.parse(stdout);
  expect(crdts.map(({ mutant }: { mutant: { killed: boolean } }) => mutant.killed)).toEqual([true, true]);
  expect(findings).toEqual([]);
});

test("a user's own type, with its options", async () => {
  writeFileSync(
    join(folder, "mine.mjs"),
    "export const createAdapter = (options) => { throw new Error('got ' + JSON.stringify(options)); };",
  );
  const { stderr, exitCode } = await harness(
    "converge",
    "--crdt",
    "./mine.mjs(maxDriftMs=5s)",
    "--crdt-args",
    '{"a":1}',
  );
  expect(stderr).toContain('got {"a":1,"maxDriftMs":5000}');
  expect(exitCode).toBe(64);
  expect(readdirSync(folder)).toEqual(["mine.mjs"]);
});

test.each([
  [["--crdt", "documnet"], 'Did you mean "document"?'],
  [["--regions", "1"], "1 is too small: the least is 2."],
  [["--depth", "3"], "--depth is about --exhaustive: add it."],
  [["--no-symmetry"], "--no-symmetry is about --exhaustive: add it."],
  [["--exhaustive", "--ops", "3"], "--ops is about random schedules"],
  [["--exhaustive", "--zoo"], "give one of the two"],
  [["--index", "3", "--time", "3s"], "leave out --schedules and --time"],
  [["--shard", "3/2"], "is no part; write 2/5"],
  [["--crdt-args", "[1]"], "is no JSON object"],
  [["--time", "10"], '"10" has no unit'],
])("%j is refused", async (args, message) => {
  const { stderr, exitCode } = await harness("converge", ...args);
  expect(stderr).toContain(message);
  expect(exitCode).toBe(64);
  expect(readdirSync(folder)).toEqual([]);
});

test("Ctrl-C: what was found so far is stored as interrupted", async () => {
  const child = harness("converge", "--time", "60s", "--out", "results");
  for await (const line of child.iterable({ from: "stderr" })) {
    if (line.includes("schedules/s")) child.kill("SIGINT");
  }
  const { exitCode } = await child;
  expect(exitCode).toBe(130);
  const result = JSON.parse(readFileSync(join(folder, "results", "latest", "result.json"), "utf8"));
  expect(result.status).toBe("interrupted");
});
