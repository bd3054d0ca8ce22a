import { z } from "zod";
import { envelopeShape, environmentSchema, findingSchema, statusSchema, toolSchema } from "./common-schema.ts";
import { latencySchema } from "./lock-schema.ts";

/** One of the two results, as far as the comparison shows it. */
export const comparedSideSchema = z.object({
  id: z.string(),
  /** What people call it: a folder, a branch, a build. */
  label: z.string(),
  startedAt: z.string(),
  status: statusSchema,
  statusReason: z.string(),
  seed: z.int(),
  argv: z.array(z.string()),
  replay: z.string(),
  tool: toolSchema,
  environment: environmentSchema,
  findings: z.array(findingSchema),
});

export const differenceSchema = z.object({
  what: z.string(),
  base: z.string(),
  head: z.string(),
  /** True: the results are not comparable because of it. */
  blocking: z.boolean(),
});

/** `inconclusive` is never `unchanged`: the rounds were too few or too noisy to tell. */
export const metricVerdictSchema = z.enum(["improved", "unchanged", "regressed", "inconclusive"]);

export const comparedMetricSchema = z.object({
  name: z.string(),
  /** The lock, data type or benchmark that it is of. */
  group: z.string(),
  /** `acquire.p50`, `response.p99`, `achieved`, `schedules`, ... */
  metric: z.string(),
  unit: z.string(),
  better: z.enum(["lower", "higher"]),
  /** Only gated metrics can regress. */
  gated: z.boolean(),
  /** Medians over the rounds. */
  base: z.number().nullable(),
  head: z.number().nullable(),
  /** By round, or by pair of rounds. */
  baseRounds: z.array(z.number()),
  headRounds: z.array(z.number()),
  /** head / base - 1, of the middle of the rounds, and its 95 % interval; null where the rounds are too few for one. */
  effect: z.number().nullable(),
  lo: z.number().nullable(),
  hi: z.number().nullable(),
  p: z.number().nullable(),
  /** After Holm, over the gated metrics. */
  pAdjusted: z.number().nullable(),
  /** Relative size from which a change counts, the absolute floor included. */
  threshold: z.number(),
  verdict: metricVerdictSchema,
  note: z.string().nullable(),
});

/** A violation, a lost job, a divergence: what one of the results has. No statistic. */
export const correctnessSchema = z.object({
  change: z.enum(["appeared", "vanished", "remained"]),
  group: z.string(),
  what: z.string(),
  /** How it stands in each: a count, a verdict. */
  base: z.string(),
  head: z.string(),
  /** True: the comparison fails because of it. */
  fails: z.boolean(),
});

export const compareResultSchema = z.object({
  ...envelopeShape,
  kind: z.literal("compare"),
  /** Kind of the two results. */
  of: z.enum(["lock", "converge", "matrix", "bench"]),
  base: comparedSideSchema,
  head: comparedSideSchema,
  comparable: z.boolean(),
  differences: z.array(differenceSchema),
  /** True: rounds of base and head were run in turns and belong together. */
  paired: z.boolean(),
  /** Rounds of each side, or pairs, that were compared. */
  rounds: z.object({ base: z.int(), head: z.int(), needed: z.int() }),
  /** True: a regression was confirmed by a second batch, or was not and is inconclusive. */
  confirmed: z.boolean().nullable(),
  metrics: z.array(comparedMetricSchema),
  correctness: z.array(correctnessSchema),
  spectra: z.array(z.object({ name: z.string(), base: latencySchema, head: latencySchema })),
  /** What `--calibrate` found: how far each gated metric moves when nothing changed, and the threshold to use here. */
  calibration: z
    .array(z.object({ name: z.string(), metric: z.string(), noise: z.number(), threshold: z.number() }))
    .optional(),
  verdict: z.enum(["broke", "regressed", "improved", "unchanged", "inconclusive"]),
  warnings: z.array(z.string()),
});

export type ComparedSide = z.infer<typeof comparedSideSchema>;
export type Difference = z.infer<typeof differenceSchema>;
export type MetricVerdict = z.infer<typeof metricVerdictSchema>;
export type ComparedMetric = z.infer<typeof comparedMetricSchema>;
export type Correctness = z.infer<typeof correctnessSchema>;
export type Calibration = NonNullable<z.infer<typeof compareResultSchema>["calibration"]>[number];
export type CompareResult = z.infer<typeof compareResultSchema>;
