import type { Benchmark, BenchResult } from "../../harness/results/bench-schema.ts";
import { visible } from "../escape.ts";
import { enumerate, formatDuration, formatNumber, plural } from "../format.ts";

/** The result in one line. */
export function benchHeadline({ benchmarks, status }: BenchResult): string {
  if (status === "interrupted") return "Cut short: what was recorded until then is below.";
  const judged = benchmarks.filter(({ goal }) => goal !== null);
  const missed = judged.filter(({ goal }) => goal?.met === false);
  if (judged.length === 0) return `${plural(benchmarks.length, "benchmark")} ran.`;
  if (missed.length === 0) return `All ${plural(judged.length, "goal")} were reached.`;
  const names = missed.slice(0, 3).map(({ name }) => visible(name, 60));
  const more = missed.length > 3 ? [`${missed.length - 3} more`] : [];
  return `${missed.length} of ${plural(judged.length, "goal")} were missed: ${enumerate([...names, ...more])}.`;
}

export function benchSetting({ benchmarks, durationMs, environment }: BenchResult): string {
  return `${plural(benchmarks.length, "benchmark")} on ${visible(environment.cpu, 80)}, ${plural(environment.cores, "core")}, ${formatDuration(durationMs)} in all.`;
}

/** A figure to three significant digits, with its unit. */
export function figure(value: number | null, unit: string): string {
  if (value === null || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  const digits = size >= 100 || size === 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return `${formatNumber(value, digits)} ${visible(unit, 20)}`;
}

export function ratioText({ ratioTo }: Benchmark): string {
  return ratioTo === null ? "" : `${formatNumber(ratioTo.ratio, 2)} × ${visible(ratioTo.name, 60)}`;
}

export function goalText({ goal }: Benchmark): string {
  return goal === null ? "" : `${goal.met ? "✓" : "✗"} ${visible(goal.text, 80)}`;
}

export function groupsOf(benchmarks: readonly Benchmark[]): Map<string, Benchmark[]> {
  const groups = new Map<string, Benchmark[]>();
  for (const one of benchmarks) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  return groups;
}
