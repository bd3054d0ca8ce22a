import type { MicroBenchmark } from "../../bench/micro-benchmark.ts";
import { summariseLatencies } from "../../measure/histogram.ts";

const OPERATIONS = 20_000;

/** The histogram that latencies are kept in. */
export const measureBenchmarks: readonly MicroBenchmark[] = [
  {
    name: "measure/histogram-record",
    group: "measure",
    unit: "ns",
    summary: `Records one latency of ${OPERATIONS.toLocaleString("en")}, percentiles and encoding shared among them`,
    prepare() {
      const values = Float64Array.from({ length: OPERATIONS }, (_, index) => 40_000 + ((index * 7_919) % 2_000_000));
      return {
        run() {
          const startMs = performance.now();
          summariseLatencies(values);
          return { tookMs: performance.now() - startMs, operations: OPERATIONS };
        },
      };
    },
  },
];
