import { describe, expect, it } from "vitest";
import type { ComparedMetric, CompareResult } from "../../../../harness/results/compare-schema.ts";
import type { ConvergeResult } from "../../../../harness/results/converge-schema.ts";
import { calibrationOf } from "../../../../reports/compare/calibrate.ts";
import { compareResults } from "../../../../reports/compare/compare.ts";
import { confirmComparison, needsConfirmation } from "../../../../reports/compare/confirm.ts";
import { refusal } from "../../../../reports/compare/differences.ts";
import { compareHeadline, thresholdFlags } from "../../../../reports/compare/words.ts";
import { renderCompareHtml } from "../../../../reports/html/compare.ts";
import { renderCompareMarkdown } from "../../../../reports/markdown/compare.ts";
import { renderCompareTerminal } from "../../../../reports/terminal/compare.ts";
import {
  brokenComparison,
  compared,
  compareMeta,
  noisyLockResult,
  regressedComparison,
  storedComparison,
  unchangedComparison,
} from "../../../fixtures/results/compare-result.ts";
import { convergeResult, failedConvergeResult, zooResult } from "../../../fixtures/results/converge-result.ts";
import { lockResult, overlapFinding } from "../../../fixtures/results/lock-result.ts";
import { matrixResult } from "../../../fixtures/results/matrix-result.ts";

const metric = (result: CompareResult, name: string): ComparedMetric => {
  const found = result.metrics.find((one) => one.metric === name);
  if (found === undefined)
    throw new Error(`no metric ${name} among ${result.metrics.map((one) => one.metric).join(", ")}`);
  return found;
};

describe("pairs of rounds", () => {
  it("of one configuration are unchanged", () => {
    const result = unchangedComparison();
    expect(result.verdict).toBe("unchanged");
    expect(result.status).toBe("passed");
    expect(metric(result, "acquire.p50")).toMatchObject({ gated: true, verdict: "unchanged" });
  });

  it("with 3 ms more are a regression of what it makes slower, with its size and interval", () => {
    const result = regressedComparison();
    expect(result).toMatchObject({ verdict: "regressed", status: "failed" });
    const p50 = metric(result, "acquire.p50");
    expect(p50).toMatchObject({ verdict: "regressed", better: "lower" });
    expect(p50.effect).toBeGreaterThan(4);
    expect(p50.lo).toBeLessThan(p50.effect ?? 0);
    expect(p50.hi).toBeGreaterThan(p50.effect ?? 0);
    expect(p50.pAdjusted).toBeLessThan(0.05);
  });

  it("that became faster are an improvement", () => {
    const result = compared(
      noisyLockResult({ seed: 1, rounds: 11 }),
      noisyLockResult({ seed: 2, rounds: 11, change: -0.4 }),
    );
    expect(result).toMatchObject({ verdict: "improved", status: "passed" });
  });

  it("that are too few are not enough, and it says how many it takes", () => {
    const result = compared(
      noisyLockResult({ seed: 1, rounds: 4 }),
      noisyLockResult({ seed: 2, rounds: 4, addedMs: 3 }),
    );
    expect(result).toMatchObject({ verdict: "inconclusive", status: "passed", rounds: { base: 4, needed: 9 } });
    expect(result.statusReason).toContain("it takes 9");
    expect(metric(result, "acquire.p50").note).toBe("not enough rounds");
  });

  it("leave out the warm-up", () => {
    const options = { warmupRounds: 1 };
    const result = compared(
      noisyLockResult({ seed: 1, rounds: 12 }),
      noisyLockResult({ seed: 2, rounds: 12 }),
      options,
    );
    expect(result.rounds.base).toBe(11);
  });

  it("below the absolute floor never regress, however sure the change is", () => {
    const fast = (change: number) => {
      const result = noisyLockResult({ seed: 3, rounds: 12, noise: 0.001, change: -0.9 });
      const [arm] = result.arms.filter(({ role }) => role === "lock");
      // 60 µs, and 20 % more of it: 12 µs.
      for (const round of arm?.rounds ?? []) round.acquire.p50Ms = 0.06 * (1 + change) + round.round * 1e-5;
      return result;
    };
    const p50 = metric(compared(fast(0), fast(0.2)), "acquire.p50");
    expect(p50.pAdjusted).toBeLessThan(0.05);
    expect(p50.threshold).toBeGreaterThan(0.8);
    expect(p50.verdict).toBe("unchanged");
  });

  it("never gate P99.9, the maximum, and percentiles of too few samples", () => {
    const gated = unchangedComparison()
      .metrics.filter((one) => one.gated)
      .map((one) => one.metric);
    expect(new Set(gated)).toEqual(
      new Set([
        "acquire.p50",
        "acquire.p90",
        "acquire.p99",
        "response.p50",
        "response.p90",
        "response.p99",
        "achieved",
      ]),
    );
    const few = compared(
      noisyLockResult({ seed: 1, rounds: 11, samples: 300 }),
      noisyLockResult({ seed: 2, rounds: 11, samples: 300 }),
    );
    expect(metric(few, "acquire.p99").gated).toBe(false);
    expect(metric(few, "acquire.p90").gated).toBe(true);
  });

  it("take thresholds of one's own, for one metric or a kind", () => {
    const [base, head] = [
      noisyLockResult({ seed: 1, rounds: 11 }),
      noisyLockResult({ seed: 2, rounds: 11, change: 0.3 }),
    ];
    expect(metric(compared(base, head), "acquire.p90").verdict).toBe("regressed");
    const loose = compared(base, head, { thresholds: { p90: 1, "acquire.p50": 2 } });
    expect(metric(loose, "acquire.p90").verdict).toBe("unchanged");
    expect(metric(loose, "acquire.p50").verdict).toBe("unchanged");
    expect(metric(loose, "response.p50").threshold).toBe(0.05);
  });

  it("are unknown with --strict when they cannot be told", () => {
    const loud = (seed: number) => noisyLockResult({ seed, rounds: 11, noise: 0.5 });
    expect(compared(loud(1), loud(2))).toMatchObject({ verdict: "inconclusive", status: "passed" });
    expect(compared(loud(1), loud(2), { strict: true })).toMatchObject({ verdict: "inconclusive", status: "unknown" });
  });
});

describe("stored results", () => {
  it("show a regression and are inconclusive, unless they may gate", () => {
    const result = storedComparison();
    expect(result).toMatchObject({ verdict: "inconclusive", status: "passed", paired: false });
    expect(metric(result, "acquire.p50").note).toContain("regressed");
    const gating = compared(
      noisyLockResult({ seed: 1, rounds: 12 }),
      noisyLockResult({ seed: 2, rounds: 12, addedMs: 3 }),
      {
        paired: false,
        gateUnpaired: true,
      },
    );
    expect(gating).toMatchObject({ verdict: "regressed", status: "failed" });
  });

  it("are refused where one is a part of a campaign and the other is another part, or all of it", () => {
    const whole = convergeResult();
    const shard = (part: string) => ({ ...whole, config: { ...whole.config, shard: part } });
    const refused = (base: ConvergeResult, head: ConvergeResult) =>
      refusal(compared(base, head, { paired: false }).differences);
    expect(refused(shard("1/3"), whole)).toContain("shard: 1/3 against none");
    expect(refused(shard("1/3"), shard("2/3"))).toContain("shard: 1/3 against 2/3");
    expect(refused(shard("1/3"), shard("1/3"))).toBeUndefined();
  });

  it("are refused with the difference when they are not comparable", () => {
    const head = { ...lockResult(), seed: 8, config: { ...lockResult().config, workers: 8, lock: ["other"] } };
    const result = compared(lockResult(), head, { paired: false });
    expect(result.comparable).toBe(false);
    const message = refusal(result.differences);
    expect(message).toContain("seed: 7 against 8");
    expect(message).toContain("workers: 4 against 8");
    expect(message).not.toContain("lock:");
    expect(refusal(compared(lockResult(), lockResult(), { paired: false }).differences)).toBeUndefined();
  });

  it.each([
    ["Node", { environment: { ...lockResult().environment, node: "22.1.0" } }],
    ["Redis", { environment: { ...lockResult().environment, redis: { version: "6.2.1", source: "", how: "" } } }],
    ["faults", { plan: { ...lockResult().plan, faultsText: "none" } }],
    ["topology", { topology: "redlock" }],
  ])("are refused with another %s", (what, change) => {
    expect(refusal(compared(lockResult(), { ...lockResult(), ...change }, { paired: false }).differences)).toContain(
      what,
    );
  });

  it("from another machine are compared with a warning", () => {
    const head = { ...lockResult(), environment: { ...lockResult().environment, cpu: "Another CPU" } };
    const result = compared(lockResult(), head, { paired: false });
    expect(result.comparable).toBe(true);
    expect(result.warnings[0]).toContain("Another machine");
  });

  it("of two kinds cannot be compared at all", () => {
    expect(() => compareResults(lockResult(), matrixResult(), { paired: false }, compareMeta)).toThrow(TypeError);
  });
});

describe("correctness", () => {
  it("fails outright on a violation that the base did not have, whatever the metrics say", () => {
    const result = brokenComparison();
    expect(result).toMatchObject({ verdict: "broke", status: "failed" });
    expect(result.correctness.filter(({ fails }) => fails).map(({ what }) => what)).toEqual([
      "exclusion: expired hold",
      "jobs executed twice or more",
    ]);
    expect(result.findings).toHaveLength(1);
  });

  it("says what vanished and does not fail on what both have", () => {
    const broken = lockResult({ status: "failed", findings: [overlapFinding()] });
    expect(compared(broken, lockResult(), { paired: false }).correctness).toMatchObject([
      { change: "vanished", fails: false },
    ]);
    const both = compared(broken, broken, { paired: false });
    expect(both.correctness).toMatchObject([{ change: "remained", fails: false }]);
    expect(both.status).toBe("passed");
  });

  it("fails on a lost job, of a control too", () => {
    const head = lockResult();
    const [control] = head.arms;
    if (control !== undefined) control.jobs.lost = 2;
    expect(compared(lockResult(), head, { paired: false }).correctness).toMatchObject([
      { what: "lost jobs", head: "2", fails: true },
    ]);
  });

  it("compares one lock with another by its place", () => {
    const other = lockResult({ locks: ["my-lock"], status: "failed", findings: [overlapFinding("my-lock")] });
    const result = compared(lockResult({ status: "failed", findings: [overlapFinding()] }), other, { paired: false });
    expect(result.correctness).toMatchObject([{ change: "remained" }]);
    expect(result.metrics[0]?.name).toMatch(/^set-nx → my-lock: /);
  });

  it("names what appeared in a data type in plain words; found another way it is the same", () => {
    const found = (check: string, kind: string) => ({
      ...{ check, class: kind, arm: "row-lww", count: 12, evidence: [] },
      message: `${check} in 12 schedules of row-lww.`,
    });
    const result = (findings: ConvergeResult["findings"]) => ({ ...failedConvergeResult(), config: {}, findings });
    const base = result([found("CAUSALITY", "fuzz")]);
    const head = result([found("CAUSALITY", "an older write shows"), found("LOST-UPDATE", "an update was lost")]);
    const comparison = compared(base, head, { paired: false });
    expect(comparison.findings.map(({ check }) => check)).toEqual(["LOST-UPDATE"]);
    const shown = renderCompareTerminal(comparison, { colour: false, width: 100, folder: "" });
    expect(shown).toContain("✗ LOST-UPDATE: an update was lost  row-lww, 12 ×");
  });

  it("fails on a divergence that appeared, and on a broken implementation that is no longer found out", () => {
    const sameName = (result: ReturnType<typeof failedConvergeResult>) => ({ ...result, config: {} });
    const base = sameName(
      convergeResult(failedConvergeResult().crdts.map((crdt) => ({ ...crdt, failed: {}, failures: [] }))),
    );
    expect(compared(base, sameName(failedConvergeResult()), { paired: false }).verdict).toBe("broke");
    const zoo = sameName(zooResult());
    const blind = {
      ...zoo,
      crdts: zoo.crdts.map((crdt) => ({
        ...crdt,
        mutant: crdt.mutant && { ...crdt.mutant, killed: false, oracle: null },
      })),
    } as typeof zoo;
    const result = compared(zoo, blind, { paired: false });
    expect(result.correctness.filter(({ fails }) => fails)).toHaveLength(3);
  });

  it("say what broke in the base and was not run again, and do not call it vanished", () => {
    const base = matrixResult();
    const broken = base.cells.find(({ verdict }) => verdict === "broke");
    const result = compared(base, { ...base, cells: base.cells.filter((cell) => cell !== broken) }, { paired: false });
    expect(
      result.correctness.filter(({ group, what }) => group === broken?.lock && what.startsWith(broken.scenario)),
    ).toEqual([]);
    expect(result.warnings).toContainEqual(
      `1 cell that broke in the base did not run in the head: ${broken?.lock} in ${broken?.scenario}.`,
    );
  });

  it("compares matrices cell by cell", () => {
    const head = matrixResult();
    const changed = head.cells.map((cell) =>
      cell.lock === "set-nx" && cell.scenario === "article" ? { ...cell, verdict: "broke" as const } : cell,
    );
    const result = compared(matrixResult(), { ...head, cells: changed }, { paired: false });
    expect(result.correctness.filter(({ fails }) => fails)).toMatchObject([
      { group: "set-nx", base: "held", head: "broke" },
    ]);
    const back = compared({ ...head, cells: changed }, matrixResult(), { paired: false });
    expect(back).toMatchObject({ status: "passed" });
    expect(back.correctness.filter(({ change }) => change === "vanished")).toMatchObject([
      { group: "set-nx", head: "held" },
    ]);
  });

  it("fails when a lock that is broken on purpose is no longer found out", () => {
    const head = matrixResult();
    const blind = head.cells.map((cell) =>
      cell.lock.startsWith("broken/") ? { ...cell, verdict: "held" as const } : cell,
    );
    const result = compared(matrixResult(), { ...head, cells: blind }, { paired: false });
    expect(result.correctness.filter(({ fails }) => fails).map(({ group }) => group)).toEqual([
      "broken/release-any",
      "broken/release-any",
    ]);
  });
});

describe("a second batch", () => {
  it("confirms a regression or takes it back", () => {
    const first = regressedComparison();
    expect(needsConfirmation(first)).toBe(true);
    expect(confirmComparison(first, regressedComparison(), { paired: true })).toMatchObject({
      verdict: "regressed",
      status: "failed",
      confirmed: true,
    });
    const back = confirmComparison(first, unchangedComparison(), { paired: true });
    expect(back).toMatchObject({ verdict: "inconclusive", status: "passed", confirmed: false });
    expect(metric(back, "acquire.p50").note).toContain("not in the second");
  });

  it("does not take back what broke", () => {
    expect(needsConfirmation(brokenComparison())).toBe(false);
    expect(confirmComparison(unchangedComparison(), brokenComparison(), { paired: true }).verdict).toBe("broke");
  });
});

describe("calibration", () => {
  it("gives this machine's noise and thresholds that stand above it", () => {
    const loud = (seed: number) => noisyLockResult({ seed, rounds: 12, noise: 0.2 });
    for (const { metric: name, noise, threshold } of calibrationOf(compared(loud(1), loud(2)))) {
      expect(threshold).toBeGreaterThanOrEqual(name.endsWith("p50") || name === "achieved" ? 0.05 : 0.1);
      expect(threshold).toBeGreaterThanOrEqual(noise);
    }
    const quiet = calibrationOf(unchangedComparison()).find(({ metric: name }) => name === "acquire.p90");
    expect(quiet?.threshold).toBe(0.1);
  });
});

describe("a calibration", () => {
  const calibrated = (noise: number): CompareResult => {
    const result = compared(
      noisyLockResult({ seed: 1, rounds: 11, noise }),
      noisyLockResult({ seed: 2, rounds: 11, noise }),
    );
    return { ...result, calibration: calibrationOf(result) };
  };

  it("of a quiet machine says that the defaults hold", () => {
    expect(compareHeadline(calibrated(0.001))).toMatch(
      /^Calibrated: noise reaches ±.* the default thresholds hold here\.$/,
    );
    expect(thresholdFlags(calibrated(0.001))).toEqual([]);
  });

  it("of a noisy one gives thresholds to paste, in every form of report", () => {
    const result = calibrated(0.3);
    expect(thresholdFlags(result)).toContainEqual(expect.stringMatching(/^--threshold acquire\.p50=\d+$/));
    for (const text of [
      renderCompareMarkdown(result),
      renderCompareHtml(result),
      renderCompareTerminal(result, { colour: false, width: 100, folder: "/runs/compare" }),
    ])
      expect(text).toContain("--threshold acquire.p50=");
  });
});
