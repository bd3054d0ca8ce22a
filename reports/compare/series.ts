import { SAMPLES_FOR } from "../../harness/measure/comparison.ts";
import type { BenchResult } from "../../harness/results/bench-schema.ts";
import type { ConvergeResult } from "../../harness/results/converge-schema.ts";
import type { ArmFigures, ArmResult, Latency, LockResult } from "../../harness/results/lock-schema.ts";
import type { RunResult } from "../result.ts";
import { latencyFloorMs } from "./options.ts";

/** One metric of one result, a value for each round: the round is the sample, never the request. */
export interface MetricSeries {
  group: string;
  metric: string;
  name: string;
  unit: string;
  better: "lower" | "higher";
  /** False: shown, but never a reason to fail. */
  gated: boolean;
  /** Changes smaller than this do not count, in the unit. */
  floor: number;
  /** Round -> value. */
  rounds: Map<number, number>;
}

/** All metrics of a result. */
export function seriesOf(result: RunResult): MetricSeries[] {
  switch (result.kind) {
    case "lock":
      return lockSeries(result);
    case "converge":
      return convergeSeries(result);
    case "bench":
      return benchSeries(result);
    case "matrix":
      return [];
  }
}

/** The arms that a comparison is about: those with a lock, or the controls where there is nothing else. */
export function comparedArms({ arms }: LockResult): ArmResult[] {
  const locks = arms.filter(({ role }) => role === "lock");
  return locks.length > 0 ? locks : arms;
}

const percentiles = [
  { metric: "p50", label: "P50", key: "p50Ms", gated: true },
  { metric: "p90", label: "P90", key: "p90Ms", gated: true },
  { metric: "p99", label: "P99", key: "p99Ms", gated: true },
  { metric: "p999", label: "P99.9", key: "p999Ms", gated: false },
  { metric: "max", label: "maximum", key: "maxMs", gated: false },
] as const;

function lockSeries(result: LockResult): MetricSeries[] {
  return comparedArms(result).flatMap((arm) => [
    ...latencySeries(arm, "acquire", ({ acquire }) => acquire, true),
    ...latencySeries(arm, "response", ({ response }) => response, true),
    ...latencySeries(arm, "acquireOutsideFaults", ({ acquireOutsideFaults }) => acquireOutsideFaults, false),
    ...rateSeries(arm),
  ]);
}

const latencyNames = { acquire: "acquire", response: "response", acquireOutsideFaults: "acquire outside faults" };

function latencySeries(
  arm: ArmResult,
  kind: keyof typeof latencyNames,
  pick: (figures: ArmFigures) => Latency,
  gatedKind: boolean,
): MetricSeries[] {
  return percentiles.flatMap(({ metric, label, key, gated }): MetricSeries[] => {
    const rounds = new Map<number, number>();
    let fewest = Number.POSITIVE_INFINITY;
    for (const round of arm.rounds) {
      const latency = pick(round);
      const value = latency[key];
      fewest = Math.min(fewest, latency.count);
      if (value !== null && value > 0) rounds.set(round.round, value);
    }
    if (rounds.size === 0) return [];
    const needed = metric in SAMPLES_FOR ? SAMPLES_FOR[metric as keyof typeof SAMPLES_FOR] : Number.POSITIVE_INFINITY;
    return [
      {
        group: arm.name,
        metric: `${kind}.${metric}`,
        name: `${latencyNames[kind]} ${label}`,
        unit: "ms",
        better: "lower",
        gated: gatedKind && gated && fewest >= needed,
        floor: latencyFloorMs,
        rounds,
      },
    ];
  });
}

/** Of an open loop the share of the offered jobs that was done, of a closed loop its speed. */
function rateSeries(arm: ArmResult): MetricSeries[] {
  const base = { group: arm.name, better: "higher", gated: true, floor: 0 } as const;
  const cycles = new Map<number, number>();
  const achieved = new Map<number, number>();
  for (const { round, cyclesPerSecond, jobs } of arm.rounds) {
    if (cyclesPerSecond !== null && jobs.offered === 0) cycles.set(round, cyclesPerSecond);
    if (jobs.offered > 0) achieved.set(round, jobs.executed / jobs.offered);
  }
  return [
    ...(achieved.size > 0
      ? [{ ...base, metric: "achieved", name: "achieved / offered", unit: "", rounds: achieved }]
      : []),
    ...(cycles.size > 0 ? [{ ...base, metric: "cycles", name: "cycles", unit: "cycles/s", rounds: cycles }] : []),
  ];
}

function convergeSeries({ crdts }: ConvergeResult): MetricSeries[] {
  return crdts
    .filter(({ mutant, schedulesPerSecond }) => mutant === undefined && schedulesPerSecond > 0)
    .map(({ name, schedulesPerSecond, speeds }) => ({
      group: name,
      metric: "schedules",
      name: "schedules",
      unit: "schedules/s",
      better: "higher",
      gated: true,
      floor: 0,
      rounds: numbered(speeds !== undefined && speeds.length > 0 ? speeds : [schedulesPerSecond]),
    }));
}

function benchSeries({ benchmarks }: BenchResult): MetricSeries[] {
  return benchmarks.map(({ group, name, unit, better, p50, rounds }) => ({
    group,
    metric: "benchmark",
    name,
    unit,
    better,
    gated: true,
    floor: 0,
    rounds: numbered(rounds.length > 0 ? rounds : [p50]),
  }));
}

function numbered(values: readonly number[]): Map<number, number> {
  return new Map(values.map((value, index): [number, number] => [index + 1, value]).filter(([, value]) => value > 0));
}
