import type { BuiltInReporter } from "../built-in-reporter.ts";
import { benchEntries } from "./bench.ts";
import { convergeEntries } from "./converge.ts";
import { type BenchmarkEntry, renderEntries } from "./figures.ts";
import { lockEntries } from "./lock.ts";

const file = (entries: readonly BenchmarkEntry[]) => ({ files: { "benchmark.json": renderEntries(entries) } });

export const benchmark: BuiltInReporter = {
  name: "benchmark",
  summary: "Figures for benchmark actions as JSON, smaller is better",
  writes: "benchmark.json",
  report: {
    lock: (result) => file(lockEntries(result)),
    converge: (result) => file(convergeEntries(result)),
    bench: (result) => file(benchEntries(result)),
  },
};
