import type { Benchmark, BenchResult } from "../../harness/results/bench-schema.ts";
import { type BenchmarkEntry, spread } from "./figures.ts";

/** The benchmarks as they are; rates become times, since smaller is better. */
export function benchEntries({ benchmarks, environment }: BenchResult): BenchmarkEntry[] {
  return benchmarks.flatMap((one) => {
    const { unit, of } = smaller(one);
    const value = of(one.p50);
    if (!Number.isFinite(value)) return [];
    const range = spread(one.rounds.map(of).filter(Number.isFinite));
    const ratio = one.ratioTo === null ? "" : `, ${one.ratioTo.ratio.toPrecision(3)} × ${one.ratioTo.name}`;
    return [
      {
        name: `${one.group}: ${one.name}`,
        unit,
        value,
        ...(range === undefined ? {} : { range }),
        extra: `${environment.cpu}, Node ${environment.node}${ratio}`,
      },
    ];
  });
}

function smaller({ better, unit }: Benchmark): { unit: string; of: (value: number) => number } {
  if (better === "lower") return { unit, of: (value) => value };
  const thing = unit.replace(/\/s(econd)?$/, "").replace(/s$/, "") || "one";
  return { unit: `µs/${thing}`, of: (value) => 1e6 / value };
}
