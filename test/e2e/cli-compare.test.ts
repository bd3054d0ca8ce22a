import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type CompareResult, compareResultSchema } from "../../harness/results/compare-schema.ts";
import type { Result } from "../../harness/results/result-schema.ts";
import { benchResult } from "../fixtures/results/bench-result.ts";
import { noisyLockResult } from "../fixtures/results/compare-result.ts";
import { convergeResult, failedConvergeResult } from "../fixtures/results/converge-result.ts";
import { lockResult, overlapFinding } from "../fixtures/results/lock-result.ts";
import { matrixResult } from "../fixtures/results/matrix-result.ts";
import { standInBuild } from "../fixtures/results/stand-in-build.ts";
import { folderForTest, leftoversOf, startHarness, until } from "./run-harness.ts";

/** Stores results as runs would have, and gives the folder to run in. */
function stored(results: Readonly<Record<string, Result>>): string {
  const cwd = folderForTest();
  for (const [name, result] of Object.entries(results)) {
    mkdirSync(join(cwd, "harness-results", name), { recursive: true });
    writeFileSync(join(cwd, "harness-results", name, "result.json"), JSON.stringify(result));
  }
  return cwd;
}

async function compare(cwd: string, ...args: string[]) {
  const { exitCode, stdout, stderr } = await startHarness(["compare", ...args, "--json"], cwd);
  const result: CompareResult | undefined = stdout === "" ? undefined : compareResultSchema.parse(JSON.parse(stdout));
  return { exitCode, stderr, result };
}

const twelve = (options: { seed: number; addedMs?: number; weather?: number }) =>
  noisyLockResult({ rounds: 12, ...options });

describe("two stored results", () => {
  test("of one configuration pass, and leave one HTML file", async () => {
    const cwd = stored({ base: twelve({ seed: 1 }), head: twelve({ seed: 2 }) });
    const { exitCode, result } = await compare(cwd, "base", "harness-results/head/result.json");
    expect(exitCode).toBe(0);
    expect(["unchanged", "inconclusive"]).toContain(result?.verdict);
    expect(result?.correctness).toEqual([]);
    const folder = join(cwd, "harness-results", result?.id ?? "");
    expect(readdirSync(folder).sort()).toEqual(["report.html", "result.json"]);
    expect(readFileSync(join(folder, "report.html"), "utf8")).toContain("harness-results/head/result.json");
  });

  test("show 3 ms more, and fail because of it only when asked to", async () => {
    const cwd = stored({ base: twelve({ seed: 1 }), head: twelve({ seed: 2, addedMs: 3 }) });
    const shown = await compare(cwd, "base", "head");
    expect(shown).toMatchObject({ exitCode: 0, result: { verdict: "inconclusive", paired: false } });
    const p50 = shown.result?.metrics.find(({ metric }) => metric === "acquire.p50");
    expect(p50?.effect).toBeGreaterThan(3);
    expect(p50?.note).toContain("looks regressed, but the rounds are not paired");
    const gated = await compare(cwd, "base", "head", "--gate-unpaired");
    expect(gated).toMatchObject({ exitCode: 1, result: { verdict: "regressed" } });
    const wide = ["--threshold", "p50=900,p90=900,p99=900", "--threshold", "response.p50=900"];
    expect(await compare(cwd, "base", "head", "--gate-unpaired", ...wide)).toMatchObject({ exitCode: 0 });
  });

  test("thresholds may stand in the configuration file", async () => {
    const cwd = stored({ base: twelve({ seed: 1 }), head: twelve({ seed: 2, addedMs: 3 }) });
    const thresholds = { p50: 900, p90: 900, "acquire.p99": 900, "response.p99": "900" };
    writeFileSync(join(cwd, "harness.config.json"), JSON.stringify({ compare: { thresholds, gateUnpaired: true } }));
    const { exitCode, result } = await compare(cwd, "base", "head");
    expect(exitCode).toBe(0);
    expect(result?.metrics.find(({ metric }) => metric === "acquire.p99")?.threshold).toBe(9);
  });

  test("fail on what broke, whatever the figures say, with its evidence", async () => {
    const broken = lockResult({ status: "failed", lockDuplicates: 2, findings: [overlapFinding()] });
    const cwd = stored({ base: lockResult(), head: broken });
    const { exitCode, result } = await compare(cwd, "base", "head", "--reporter", "markdown,junit,html");
    expect(exitCode).toBe(1);
    expect(result).toMatchObject({ verdict: "broke", findings: [{ check: "exclusion" }] });
    const folder = join(cwd, "harness-results", result?.id ?? "");
    expect(readFileSync(join(folder, "report.md"), "utf8")).toContain("exclusion");
    expect(readdirSync(folder)).toContain("junit.xml");
    // The other way round it is said that it vanished, and nothing fails.
    const mended = await compare(cwd, "head", "base");
    expect(mended.exitCode).toBe(0);
    expect(mended.result?.correctness[0]).toMatchObject({ change: "vanished" });
  });

  test("that are not comparable are refused with the difference, unless forced", async () => {
    const cwd = stored({ base: lockResult({ seed: 7 }), head: lockResult({ seed: 8 }), other: convergeResult() });
    const refused = await compare(cwd, "base", "head");
    expect(refused).toMatchObject({ exitCode: 64, result: undefined });
    expect(refused.stderr).toContain("seed: 7 against 8");
    expect(await compare(cwd, "base", "head", "--force")).toMatchObject({ exitCode: 0, result: { comparable: false } });
    const kinds = await compare(cwd, "base", "other", "--force");
    expect(kinds.exitCode).toBe(64);
    expect(kinds.stderr).toContain("A lock result cannot be compared with a converge result");
  });

  test.each([
    ["converge", convergeResult(), failedConvergeResult()],
    ["matrix", matrixResult(), { ...matrixResult(), cells: matrixResult().cells.map(broke) }],
  ] as const)("of %s fail on what appeared", async (_kind, base, head) => {
    const cwd = stored({ base, head });
    expect(await compare(cwd, "base", "base")).toMatchObject({ exitCode: 0 });
    const { exitCode, result } = await compare(cwd, "base", "head", "--force");
    expect(exitCode).toBe(1);
    expect(result?.verdict).toBe("broke");
  });

  test("of bench compare benchmark by benchmark", async () => {
    const cwd = stored({ base: benchResult(), head: benchResult() });
    const { exitCode, result } = await compare(cwd, "base", "head");
    expect(exitCode).toBe(0);
    expect(result?.metrics.length).toBeGreaterThan(0);
  });

  test("latest is the newest run, and no comparison", async () => {
    const cwd = stored({
      base: twelve({ seed: 1 }),
      "lock-20260101T000000Z-aaaaaa": lockResult({ seed: 1 }),
      "lock-20260201T000000Z-bbbbbb": twelve({ seed: 2 }),
    });
    expect((await compare(cwd, "base")).result?.head.label).toBe("lock-20260201T000000Z-bbbbbb");
    // By now the link points to the comparison.
    expect((await compare(cwd, "base", "latest")).result?.head.label).toBe("lock-20260201T000000Z-bbbbbb");
  });

  test.each([
    [[], "harness compare needs BASE"],
    [["nowhere", "base"], "There is no result at"],
    [["base", "base", "--threshold", "p98=3"], "there is no such metric. Did you mean"],
    [["base", "base", "--threshold", "p99"], "write one such as acquire.p99=15"],
    [["base", "base", "--pairs", "4"], "add --run or --calibrate"],
  ])("%j is refused", async (args, message) => {
    const cwd = stored({ base: lockResult() });
    const { exitCode, stderr } = await compare(cwd, ...args);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(64);
  });
});

describe("two builds in turns", () => {
  const calls = (cwd: string) => readFileSync(join(cwd, "calls.txt"), "utf8").trim().split("\n");
  const builds = (head: Parameters<typeof standInBuild>[2] = {}) => {
    const cwd = folderForTest();
    standInBuild(cwd, "base");
    standInBuild(cwd, "head", head);
    return cwd;
  };

  test("of the same speed are unchanged; they take turns ABBA, both with the same seeds", async () => {
    const cwd = builds();
    const common = ["--common", "lock --rate 600", "--round", "1s", "--seed", "100"];
    const { exitCode, result } = await compare(cwd, "--run", "base", "head", "--pairs", "10", ...common);
    expect(exitCode).toBe(0);
    expect(result).toMatchObject({ verdict: "unchanged", paired: true, rounds: { base: 9 }, confirmed: null });
    const made = calls(cwd);
    expect(made.map((call) => call.split(" ")[0])).toEqual(
      Array.from({ length: 10 }, (_, pair) => (pair % 2 === 0 ? ["base", "head"] : ["head", "base"])).flat(),
    );
    expect(made[0]).toContain("lock --rate 600 --no-control --rounds 1 --duration 1s --seed 100 --json");
    expect(made.map((call) => Number(/--seed (\d+)/.exec(call)?.[1]))).toEqual(
      Array.from({ length: 20 }, (_, index) => 100 + Math.floor(index / 2)),
    );
    const stored_ = JSON.parse(readFileSync(join(cwd, "harness-results", result?.id ?? "", "plan.json"), "utf8"));
    expect(stored_).toMatchObject({ kind: "compare", pairs: 10, seed: 100 });
  });

  test("3 ms more is a regression, confirmed by a second batch, and fails", async () => {
    const cwd = builds({ addedMs: 3 });
    const { exitCode, result } = await compare(cwd, "--run", "base", "head", "--pairs", "10");
    expect(exitCode).toBe(1);
    expect(result).toMatchObject({ verdict: "regressed", status: "failed", confirmed: true });
    expect(calls(cwd)).toHaveLength(40);
  });

  test("3 ms more that a second batch does not show again is inconclusive: no success with --strict", async () => {
    const cwd = builds({ addedMs: 3, onlyFirst: 10 });
    const { exitCode, result } = await compare(cwd, "--run", "base", "head", "--pairs", "10", "--strict");
    expect(exitCode).toBe(2);
    expect(result).toMatchObject({ verdict: "inconclusive", status: "unknown", confirmed: false });
  });

  test("too few pairs are inconclusive, and it says how many it takes", async () => {
    const { exitCode, result } = await compare(builds({ addedMs: 3 }), "--run", "base", "head", "--pairs", "4");
    expect(exitCode).toBe(0);
    expect(result?.statusReason).toContain("it takes 9");
  });

  test("--calibrate gives the noise of a configuration against itself, and the thresholds to use", async () => {
    const cwd = builds();
    const { exitCode, result } = await compare(
      cwd,
      "--calibrate",
      "base",
      "--common",
      "lock --rate 600",
      "--pairs",
      "10",
    );
    expect(exitCode).toBe(0);
    const p50 = result?.calibration?.find(({ metric }) => metric === "acquire.p50");
    // The stand-in gives both sides of a pair the same: no noise at all.
    expect(p50).toMatchObject({ noise: 0, threshold: 0.05 });
    const { stdout } = await startHarness(["report"], cwd);
    expect(stdout).toContain("The default thresholds hold on this machine.");
  });

  test.each([
    [["--run", "base", "head --refuse"], "There is no option --refuse."],
    [["--run", "base"], "--run needs two sides"],
    [["--run", "base lock", "head converge"], "A lock run cannot be compared with a converge run."],
    [["--run", "base", "head", "--gate-unpaired"], "is about two stored results"],
  ])("%j is refused", async (args, message) => {
    const { exitCode, stderr } = await compare(builds(), ...args);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(64);
  });

  test.each([
    ["base", "head --wait", 0],
    ["base", "head --wait-after 3", 2],
  ])("interrupted, what is complete is compared, and can be read: %s, %s", async (base, head, complete) => {
    const cwd = builds();
    const child = startHarness(["compare", "--run", base, head, "--json"], cwd);
    await until(() => existsSync(join(cwd, "waits")));
    child.kill("SIGINT");
    const { exitCode, stdout } = await child;
    expect(exitCode).toBe(130);
    const result = compareResultSchema.parse(JSON.parse(stdout));
    expect(result).toMatchObject({ status: "interrupted", verdict: "inconclusive" });
    expect(result.statusReason).toContain(`Interrupted after ${complete} of 12 pairs (interrupted by SIGINT).`);
    expect(leftoversOf(`compare-${child.pid}-`)).toEqual([]);
    const report = await startHarness(["report"], cwd);
    expect(report.stdout).toContain(`after ${complete} of 12 pairs`);
    expect(report.stdout.startsWith("INTERRUPTED  Nothing was compared.")).toBe(complete === 0);
    expect(report.exitCode).toBe(0);
    // It has no history itself.
    const check = await startHarness(["check"], cwd);
    expect(check.stderr).toContain("is a run of kind compare, which has no history to check");
    expect(check.exitCode).toBe(64);
  });

  test("a round that fails half-way: the pairs before it are compared, and it is said why", async () => {
    const cwd = builds();
    const { exitCode, stderr, result } = await compare(cwd, "--run", "base", "head --fail-after 3");
    expect(exitCode).toBe(69);
    expect(stderr).toContain("no Redis");
    expect(result).toMatchObject({ status: "interrupted", rounds: { base: 1 } });
    expect(result?.statusReason).toContain("Interrupted after 2 of 12 pairs (head --fail-after 3: no Redis).");
  });
});

test.each([
  [["--lok set-nx", "--lock set-nx"], /^--lok set-nx: There is no option --lok/],
  [["--lock set-nx", "--lock nosuch"], /^--lock nosuch: there is no such lock/],
  [["converge --regions 1", "converge"], /^converge --regions 1: (?!--regions)/],
])("what a side cannot run is refused before the other side starts: %j", async (sides, message) => {
  const cwd = folderForTest();
  const { exitCode, stdout, stderr } = await startHarness(["compare", "--run", ...sides], cwd);
  expect({ exitCode, stdout }).toEqual({ exitCode: 64, stdout: "" });
  expect(stderr).toMatch(message);
  expect(existsSync(join(cwd, "harness-results"))).toBe(false);
});

test("--dry-run prints the seed that it has drawn, and starts nothing", async () => {
  const cwd = folderForTest();
  const plan = async () => {
    const { stdout } = await startHarness(
      ["compare", "--run", "--pairs", "3", "--dry-run", "--ttl 1s", "--ttl 2s"],
      cwd,
    );
    return JSON.parse(stdout) as { seed: number; pairs: number; warmupPairs: number };
  };
  const [first, second] = await Promise.all([plan(), plan()]);
  expect(first).toMatchObject({ pairs: 3, warmupPairs: 1 });
  expect(first.seed).not.toBe(second.seed);
  expect(existsSync(join(cwd, "harness-results"))).toBe(false);
});

test("two configurations of a real lock run in turns", async () => {
  const cwd = folderForTest();
  const common = "lock --rate 6000 --faults none --job-time constant(1ms) --workers 1";
  const pairs = ["--pairs", "2", "--round", "300ms"];
  const { exitCode, result, stderr } = await compare(
    cwd,
    "--run",
    "--lock set-nx",
    "--lock set-nx-fenced",
    "--common",
    common,
    ...pairs,
  );
  expect(stderr).not.toContain("internal");
  expect(exitCode).toBe(0);
  expect(result).toMatchObject({ of: "lock", paired: true, correctness: [], rounds: { base: 1 } });
  expect(result?.statusReason).toContain("Not enough rounds");
  expect(result?.differences.map(({ what }) => what)).toContain("lock");
  const folder = join(cwd, "harness-results", result?.id ?? "");
  expect(readdirSync(join(folder, "rounds")).sort()).toEqual(["01-base", "01-head", "02-base", "02-head"]);
});

function broke<Cell extends { verdict: string }>(cell: Cell): Cell {
  return cell.verdict === "held" ? { ...cell, verdict: "broke" } : cell;
}
