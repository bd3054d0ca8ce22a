import { z } from "zod";
import { envelopeShape } from "./common-schema.ts";

export const benchmarkSchema = z.object({
  name: z.string(),
  /** Such as `lock`, `crdt`, `clock`, `proxy`. */
  group: z.string(),
  /** Such as `µs`, `ops/s`. */
  unit: z.string(),
  /** Which direction is an improvement. */
  better: z.enum(["lower", "higher"]),
  samples: z.int(),
  p50: z.number(),
  p99: z.number().nullable(),
  /** Interval of the middle, in the unit. */
  range: z.tuple([z.number(), z.number()]).nullable(),
  /** Against another benchmark of the same run. */
  ratioTo: z.object({ name: z.string(), ratio: z.number() }).nullable(),
  /** The figure to reach, of the ratio if there is one, else of the middle. */
  goal: z.object({ text: z.string(), met: z.boolean() }).nullable(),
  /** The middle of each round, for comparing runs. */
  rounds: z.array(z.number()),
});

export const benchResultSchema = z.object({
  ...envelopeShape,
  kind: z.literal("bench"),
  benchmarks: z.array(benchmarkSchema),
  warnings: z.array(z.string()),
});

export type Benchmark = z.infer<typeof benchmarkSchema>;
export type BenchResult = z.infer<typeof benchResultSchema>;
