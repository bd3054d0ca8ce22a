import { medianOf } from "../measure/permutation.ts";
import type { Benchmark, BenchResult } from "./bench-schema.ts";
import type { Status } from "./common-schema.ts";
import type { ConvergeCrdt, ConvergeResult } from "./converge-schema.ts";
import type { Result } from "./result-schema.ts";
import { uniteFindings } from "./unite-findings.ts";
import { uniteLock } from "./unite-lock.ts";

export type RunResult = Exclude<Result, { kind: "compare" }>;

/**
 * Runs of one configuration as one result with a round for each: what a side of a comparison in turns is. A matrix has
 * no rounds, and stays the first run.
 */
export function uniteRounds(runs: readonly [RunResult, ...RunResult[]]): RunResult {
  const [first] = runs;
  const durationMs = runs.reduce((total, run) => total + run.durationMs, 0);
  return { ...unite(runs), durationMs, ...statusOf(runs), seed: first.seed };
}

function unite(runs: readonly [RunResult, ...RunResult[]]): RunResult {
  const [first] = runs;
  switch (first.kind) {
    case "lock":
      return uniteLock(runs as never);
    case "converge":
      return uniteConverge(runs as never);
    case "bench":
      return uniteBench(runs as never);
    case "matrix":
      return first;
  }
}

function uniteConverge(runs: readonly [ConvergeResult, ...ConvergeResult[]]): ConvergeResult {
  const [first] = runs;
  return {
    ...first,
    findings: uniteFindings(runs.map(({ findings }) => findings)),
    crdts: first.crdts.map(({ name }) =>
      uniteCrdt(runs.flatMap(({ crdts }) => crdts.filter((one) => one.name === name))),
    ),
    warnings: [...new Set(runs.flatMap(({ warnings }) => warnings))],
  };
}

/** Failures stay as each run had them, the first of each oracle. */
function uniteCrdt(parts: readonly ConvergeCrdt[]): ConvergeCrdt {
  const [first] = parts as [ConvergeCrdt];
  const total = (pick: (one: ConvergeCrdt) => number) => parts.reduce((sum, one) => sum + pick(one), 0);
  const elapsedMs = total((one) => one.elapsedMs);
  const failures = parts.flatMap((one) => one.failures);
  return {
    ...first,
    schedules: total((one) => one.schedules),
    events: total((one) => one.events),
    elapsedMs,
    schedulesPerSecond: elapsedMs > 0 ? total((one) => one.schedules) / (elapsedMs / 1000) : first.schedulesPerSecond,
    // One run is one round, whatever it stored of its inside: its parts are no samples of their own.
    speeds: parts.map((one) => one.schedulesPerSecond),
    histogram: addUp(parts.map((one) => one.histogram)),
    sometimes: addUp(parts.map((one) => one.sometimes)),
    failed: addUp(parts.map((one) => one.failed)),
    failures: failures.filter(({ oracle }, index) => failures.findIndex((one) => one.oracle === oracle) === index),
  };
}

function addUp(tables: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const table of tables) for (const [key, count] of Object.entries(table)) sums[key] = (sums[key] ?? 0) + count;
  return sums;
}

function uniteBench(runs: readonly [BenchResult, ...BenchResult[]]): BenchResult {
  const [first] = runs;
  return {
    ...first,
    benchmarks: first.benchmarks.map((one) => {
      const same = runs.flatMap(({ benchmarks }) =>
        benchmarks.filter(({ group, name }) => group === one.group && name === one.name),
      );
      return uniteBenchmark(same);
    }),
  };
}

function uniteBenchmark(parts: readonly Benchmark[]): Benchmark {
  const [first] = parts as [Benchmark];
  const middles = parts.map(({ p50 }) => p50);
  return {
    ...first,
    samples: parts.reduce((sum, { samples }) => sum + samples, 0),
    p50: medianOf(middles),
    p99: null,
    range: null,
    rounds: middles,
  };
}

const gravity: Readonly<Record<Status, number>> = { passed: 0, unknown: 1, interrupted: 2, failed: 3 };

/** The gravest of the rounds speaks for all. */
function statusOf(runs: readonly [RunResult, ...RunResult[]]): { status: Status; statusReason: string } {
  const [first] = runs;
  const { status, statusReason } = runs.reduce(
    (worst, run) => (gravity[run.status] > gravity[worst.status] ? run : worst),
    first,
  );
  const same = runs.filter((run) => run.status === status).length;
  return {
    status,
    statusReason:
      runs.length === 1 || status === "passed" ? statusReason : `In ${same} of ${runs.length} rounds: ${statusReason}`,
  };
}
