import { z } from "zod";

const whole = z.int().nonnegative();

/** What a convergence run is told, as its plan.json has it, in that order. What follows from the seed is not in it. */
const convergePlanSchema = z.object({
  schema: z.literal("harness.plan/1"),
  kind: z.literal("converge"),
  crdts: z
    .array(
      z.object({
        name: z.string(),
        path: z.string(),
        argument: z.string().optional(),
        options: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .min(1),
  regions: z.int().min(2).max(9).optional(),
  ops: z.int().positive().optional(),
  schedules: z.int().positive().optional(),
  timeMs: z.number().positive().optional(),
  shard: z.object({ index: whole, count: z.int().positive() }).optional(),
  oracles: z.enum(["tiers", "all"]).optional(),
  index: whole.optional(),
  stepDeadlineMs: z.number().positive().optional(),
  seed: whole,
  threads: whole.optional(),
  exhaustive: z
    .object({
      depth: z.int().positive(),
      symmetry: z.boolean().optional(),
      alphabet: z.enum(["standard", "full"]).optional(),
    })
    .optional(),
  zoo: z.boolean().optional(),
  journal: z.string().optional(),
});

/** @throws ZodError */
export const parseConvergePlan = (value: unknown) => convergePlanSchema.parse(value);
