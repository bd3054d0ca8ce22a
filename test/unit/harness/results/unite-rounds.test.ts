import { describe, expect, it } from "vitest";
import { latencyAtPercentiles } from "../../../../harness/measure/histogram.ts";
import type { LockResult } from "../../../../harness/results/lock-schema.ts";
import { resultSchema } from "../../../../harness/results/result-schema.ts";
import { uniteRounds } from "../../../../harness/results/unite-rounds.ts";
import { benchResult } from "../../../fixtures/results/bench-result.ts";
import { convergeResult, failedConvergeResult } from "../../../fixtures/results/converge-result.ts";
import { latency, lockResult, overlapFinding } from "../../../fixtures/results/lock-result.ts";

const oneRound = (seed: number, options: Parameters<typeof lockResult>[0] = {}) =>
  lockResult({ seed, rounds: 1, ...options });
const armOf = (result: LockResult) => result.arms.find(({ name }) => name === "set-nx") as LockResult["arms"][number];

describe("lock runs of one round each", () => {
  const runs = [oneRound(1), oneRound(2), oneRound(3)] as const;
  const united = uniteRounds([...runs]) as LockResult;

  it("become rounds of one result, which is valid", () => {
    expect(resultSchema.safeParse(united).error).toBeUndefined();
    expect(united.plan.rounds).toBe(3);
    expect(armOf(united).rounds.map(({ round }) => round)).toEqual([1, 2, 3]);
    expect(armOf(united).rounds.map(({ acquire }) => acquire.p50Ms)).toEqual(
      runs.map((run) => armOf(run).rounds[0]?.acquire.p50Ms),
    );
    expect(new Set(united.faults.map(({ round }) => round))).toEqual(new Set([1, 2, 3]));
  });

  it("are counted together, exactly", () => {
    const offered = runs.reduce((sum, run) => sum + armOf(run).jobs.offered, 0);
    expect(armOf(united).jobs.offered).toBe(offered);
    expect(armOf(united).acquire.count).toBe(runs.reduce((sum, run) => sum + armOf(run).acquire.count, 0));
  });

  it("have one distribution: what recording all values at once would have given", () => {
    const withValues = (values: number[]): LockResult => {
      const run = oneRound(1);
      const arm = armOf(run);
      return {
        ...run,
        arms: [{ ...arm, rounds: arm.rounds.map((round) => ({ ...round, acquire: latency(values) })) }],
      };
    };
    const both = uniteRounds([withValues([1, 2, 3]), withValues([10, 20, 30, 40])]) as LockResult;
    const whole = latency([1, 2, 3, 10, 20, 30, 40]);
    const places = [10, 50, 90, 100];
    expect(latencyAtPercentiles(armOf(both).acquire.hdr, places)).toEqual(latencyAtPercentiles(whole.hdr, places));
  });

  it("keep the gravest status, and count findings of one kind together", () => {
    const failed = (seed: number) => oneRound(seed, { status: "failed", findings: [overlapFinding()] });
    const result = uniteRounds([oneRound(1), failed(2), failed(3)]) as LockResult;
    expect(result).toMatchObject({ status: "failed", findings: [{ check: "exclusion", count: 8 }] });
    expect(result.statusReason).toMatch(/^In 2 of 3 rounds: /);
  });
});

describe("convergence runs", () => {
  it("are a speed each, and every failure is kept once", () => {
    const united = uniteRounds([convergeResult(), convergeResult()]);
    expect(united.kind === "converge" && united.crdts[0]?.speeds).toHaveLength(2);
    const failed = failedConvergeResult();
    const twice = uniteRounds([failed, failed]);
    if (twice.kind !== "converge") throw new Error("a convergence result stays one");
    const oracles = twice.crdts[0]?.failures.map(({ oracle }) => oracle) ?? [];
    expect(new Set(oracles).size).toBe(oracles.length);
    expect(resultSchema.safeParse(twice).error).toBeUndefined();
  });
});

it("benchmarks get a round from each run", () => {
  const united = uniteRounds([benchResult(), benchResult(), benchResult()]);
  expect(united.kind === "bench" && united.benchmarks.every(({ rounds }) => rounds.length === 3)).toBe(true);
});
