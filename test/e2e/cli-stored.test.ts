import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ConvergeResult } from "../../harness/results/converge-schema.ts";
import { lockResult } from "../fixtures/results/lock-result.ts";
import { matrixResult } from "../fixtures/results/matrix-result.ts";

const bin = resolve("dist/harness/cli/bin.js");
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-stored-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const harness = (...args: string[]) => execa(process.execPath, [bin, ...args], { cwd: folder, reject: false });

describe("report", () => {
  beforeEach(() => {
    mkdirSync(join(folder, "harness-results", "lock-1"), { recursive: true });
    writeFileSync(join(folder, "harness-results", "lock-1", "result.json"), JSON.stringify(lockResult()));
    symlinkSync("lock-1", join(folder, "harness-results", "latest"));
  });

  test("makes the reports of the latest run again", async () => {
    const { stdout, exitCode } = await harness("report");
    expect(exitCode).toBe(0);
    expect(stdout).toContain("set-nx");
    expect(readdirSync(join(folder, "harness-results", "lock-1")).sort()).toEqual(["report.html", "result.json"]);
  });

  test("those that are asked for, of the run that is named, also by its file", async () => {
    const { exitCode } = await harness(
      "report",
      "harness-results/lock-1/result.json",
      "--reporter",
      "markdown",
      "--reporter",
      "junit",
    );
    expect(exitCode).toBe(0);
    expect(readdirSync(join(folder, "harness-results", "lock-1"))).toContain("report.md");
  });

  test("a reporter of one's own, in TypeScript, beside a built-in one", async () => {
    writeFileSync(
      join(folder, "slowest.ts"),
      `type Lock = { kind: string; arms: { name: string; acquire: { maxMs: number | null } }[] };
       export default {
         onResult(result: Lock) {
           const lines = result.arms.map(({ name, acquire }) => name + " " + acquire.maxMs);
           return { stdout: "slowest: " + lines.join(", "), files: { "slowest.txt": lines.join("\\n") } };
         },
       };`,
    );
    const { stdout, exitCode } = await harness("report", "--reporter", "markdown,./slowest.ts");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^slowest: none-literal .*, set-nx [\d.]+$/m);
    expect(readdirSync(join(folder, "harness-results", "lock-1")).sort()).toEqual([
      "report.md",
      "result.json",
      "slowest.txt",
    ]);
  });

  test("several runs in one HTML file", async () => {
    const { exitCode } = await harness(
      "report",
      "harness-results/lock-1",
      "harness-results/latest",
      "--bundle",
      "all.html",
    );
    expect(exitCode).toBe(0);
    expect(readFileSync(join(folder, "all.html"), "utf8")).toMatch(/<h1>All 2\spassed\.<\/h1>/);
    expect(existsSync(join(folder, "harness-results", "lock-1", "report.html"))).toBe(false);
  });

  test("a result of a newer schema is refused, and says so", async () => {
    const newer = { ...lockResult(), schema: "harness.result/2" };
    writeFileSync(join(folder, "harness-results", "lock-1", "result.json"), JSON.stringify(newer));
    const { exitCode, stderr } = await harness("report");
    expect(exitCode).toBe(64);
    expect(stderr).toContain("is a result of version 2; this build reads up to version 1");
  });

  test("--json is the stored result", async () => {
    expect(JSON.parse((await harness("report", "--json")).stdout)).toEqual(JSON.parse(JSON.stringify(lockResult())));
  });

  test.each([
    [["report", "nowhere"], "There is no run at"],
    [["report", "--out", "empty"], "Make one with harness lock"],
    [["report", "--reporter", "termnal"], 'Did you mean "terminal"?'],
    [["check"], "There is no plan at"],
  ])("%j is refused", async (args, message) => {
    const { stderr, exitCode } = await harness(...args);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(64);
  });
});

describe("replay", () => {
  test("runs a stored plan: it is the same plan, byte for byte", async () => {
    const planned = await harness("lock", "--seed", "7", "--dry-run", "--json");
    writeFileSync(join(folder, "plan.json"), planned.stdout);
    const replayed = await harness("replay", "plan.json", "--dry-run", "--json");
    expect(replayed.stderr).toBe("");
    expect(replayed.stdout).toBe(planned.stdout);
  });

  test("a plan of another machine finds what is built in", async () => {
    const { stdout } = await harness("lock", "--seed", "7", "--dry-run", "--json");
    const elsewhere = stdout.replaceAll(resolve("dist"), "/elsewhere/node_modules/holdfast/dist");
    expect(elsewhere).not.toBe(stdout);
    writeFileSync(join(folder, "plan.json"), elsewhere);
    expect((await harness("replay", "plan.json", "--dry-run", "--json")).stdout).toBe(stdout);
  });

  test.each([
    ["{", "it was cut short. Take the plan.json of another run."],
    ["", "the file is empty. Take the plan.json of another run."],
    ['{"schema":"harness.plan/1"}', "it is a plan of the unknown kind"],
    ['{"schema":"harness.plan/1","kind":"lock"}', /it is damaged, seed is missing \(and \d+ more\)/],
    ["[]", "it is a list. Give the folder of a run, or its plan.json."],
    ['{"schema":"harness.plan/99","kind":"lock"}', "it is a plan of version 99, and this build reads version 1."],
    [JSON.stringify(lockResult()), "it is a result. Give its folder,"],
    [JSON.stringify(matrixResult()), "it is a result. Run it again with: npx harness matrix"],
  ])("no plan is refused in one sentence: case %#", async (text, message) => {
    writeFileSync(join(folder, "plan.json"), text);
    const { stderr, exitCode } = await harness("replay", "plan.json", "--dry-run");
    expect(stderr).toMatch(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(exitCode).toBe(64);
  });

  test("a convergence run is run again by its plan: the same schedules, the same failures", async () => {
    const again = ["--out", "again", "--json"];
    const first = await harness("converge", "--crdt", "row-lww", "--schedules", "40", "--seed", "7", "--json");
    const second = await harness("replay", ...again);
    const counted = (text: string) =>
      (JSON.parse(text) as ConvergeResult).crdts.map(({ name, schedules, failed }) => ({ name, schedules, failed }));
    expect(counted(second.stdout)).toEqual(counted(first.stdout));
    expect([first.exitCode, second.exitCode]).toEqual([1, 1]);
    const plan = (out: string) => readFileSync(join(folder, out, "latest", "plan.json"), "utf8").trimEnd();
    expect(plan("again")).toBe(plan("harness-results"));
    expect((await harness("replay", "--dry-run")).stdout).toBe(plan("again"));
  });

  test("a convergence plan that is damaged is refused with what it lacks", async () => {
    writeFileSync(join(folder, "plan.json"), '{"schema":"harness.plan/1","kind":"converge"}');
    const { stderr, exitCode } = await harness("replay", "plan.json");
    expect(stderr).toMatch(/is no plan of a convergence run: it is damaged, crdts is missing \(and 1 more\)/);
    expect(exitCode).toBe(64);
  });

  test.each(["replay", "report", "check", "export"])(
    "%s of a folder of runs is told the latest one",
    async (command) => {
      mkdirSync(join(folder, "harness-results", "lock-1"), { recursive: true });
      symlinkSync("lock-1", join(folder, "harness-results", "latest"));
      const { stderr, exitCode } = await harness(command, "harness-results");
      expect(stderr).toContain("holds runs; name one of them, such as");
      expect(stderr).toContain(join("harness-results", "latest"));
      expect(exitCode).toBe(64);
    },
  );

  test("a lock that is gone is missed before anything starts", async () => {
    writeFileSync(
      join(folder, "my-lock.mjs"),
      "const capabilities = { renewal: 'none', fencing: 'none', nodes: 1, client: 'x' };\nexport const createLock = () => ({ capabilities, acquire() {}, release() {}, redisKeys: () => [], close() {} });",
    );
    const { stdout } = await harness("lock", "--lock", "./my-lock.mjs", "--dry-run", "--json");
    writeFileSync(join(folder, "plan.json"), stdout);
    rmSync(join(folder, "my-lock.mjs"));
    const { stderr, exitCode } = await harness("replay", "plan.json", "--dry-run");
    expect(stderr).toContain("The plan's lock my-lock was at");
    expect(exitCode).toBe(64);
  });
});
