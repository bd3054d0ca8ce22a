import type { BuiltInReporter } from "../registry.ts";
import { type BenchmarkEntry, renderEntries } from "./figures.ts";
import { lockEntries } from "./lock.ts";

const file = (entries: readonly BenchmarkEntry[]) => ({ files: { "benchmark.json": renderEntries(entries) } });

export const benchmark: BuiltInReporter = {
  name: "benchmark",
  summary: "Figures for benchmark actions as JSON, smaller is better",
  writes: "benchmark.json",
  report: {
    lock: (result) => file(lockEntries(result)),
  },
};
