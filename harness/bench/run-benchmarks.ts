import { Bench, type BenchOptions } from "tinybench";
import { quantile, sorted } from "../measure/quantiles.ts";
import type { Benchmark } from "../results/bench-schema.ts";
import type { MicroBenchmark, PreparedBenchmark } from "./micro-benchmark.ts";

export interface BenchPlan {
  rounds: number;
  /** Of one benchmark in one round, ms. */
  timeMs: number;
}

export interface BenchRunOptions extends BenchPlan {
  signal: AbortSignal;
  onProgress(progress: { name: string; round: number }): void;
}

interface Measured {
  benchmark: MicroBenchmark;
  /** One for each round, in the unit. */
  middles: number[];
  p99s: number[];
  samples: number;
}

/**
 * Times benchmarks in turns: round after round each runs once, so that a slow minute of the machine hits all of them alike.
 * The figure is the median of the rounds' medians. An abort ends it after the benchmark that is running.
 */
export async function runBenchmarks(
  benchmarks: readonly MicroBenchmark[],
  { rounds, timeMs, signal, onProgress }: BenchRunOptions,
): Promise<{ benchmarks: Benchmark[]; warnings: string[] }> {
  const measured = benchmarks.map((benchmark): Measured => ({ benchmark, middles: [], p99s: [], samples: 0 }));
  const prepared: PreparedBenchmark[] = [];
  try {
    for (const { prepare } of benchmarks) prepared.push(await prepare());
    for (let round = 1; round <= rounds && !signal.aborted; round += 1) {
      for (const [index, one] of measured.entries()) {
        onProgress({ name: one.benchmark.name, round });
        if (signal.aborted) break;
        // The first round warms up the code of each for as long again.
        const warmup = round === 1;
        await measureOnce(one, prepared[index] as PreparedBenchmark, { timeMs, warmup });
      }
    }
  } finally {
    for (const { close } of prepared.toReversed()) await close?.();
  }
  const warnings = prepared.map(({ warning }) => warning?.()).filter((text) => text !== undefined);
  return { benchmarks: toBenchmarks(measured.filter(({ middles }) => middles.length > 0)), warnings };
}

async function measureOnce(
  measured: Measured,
  { run }: PreparedBenchmark,
  { timeMs, warmup }: { timeMs: number; warmup: boolean },
): Promise<void> {
  const options: BenchOptions = { time: timeMs, iterations: 5, warmup, warmupTime: timeMs, throws: true };
  const bench = new Bench(options);
  bench.add(measured.benchmark.name, () => {
    const outcome = run();
    if (outcome === undefined || outcome instanceof Promise) return outcome;
    const { tookMs, operations } = outcome;
    return { overriddenDuration: tookMs / operations, overriddenIterationCost: tookMs };
  });
  const [task] = await bench.run();
  const result = task?.result;
  if (result === undefined || !("latency" in result) || result.state !== "completed") return;
  const { p50, p99, samplesCount } = result.latency;
  const perMs = measured.benchmark.unit === "ns" ? 1e6 : 1e3;
  measured.middles.push(p50 * perMs);
  measured.p99s.push(p99 * perMs);
  measured.samples += samplesCount;
}

function toBenchmarks(measured: readonly Measured[]): Benchmark[] {
  const middleOf = new Map(measured.map(({ benchmark, middles }) => [benchmark.name, median(middles)]));
  return measured.map(({ benchmark: { name, group, unit, ratioTo }, middles, p99s, samples }) => {
    const p50 = median(middles);
    const peer = ratioTo === undefined ? undefined : middleOf.get(ratioTo);
    return {
      ...{ name, group, unit, samples, p50 },
      better: "lower",
      p99: median(p99s),
      range: [Math.min(...middles), Math.max(...middles)],
      ratioTo: ratioTo === undefined || peer === undefined ? null : { name: ratioTo, ratio: p50 / peer },
      goal: null,
      rounds: middles,
    };
  });
}

const median = (values: readonly number[]): number => quantile(sorted(values), 0.5) ?? Number.NaN;
