import { z } from "zod";
import { parsePlan } from "../../results/stored-document.ts";

const shardSchema = z.object({ index: z.int().min(0), count: z.int().min(1) });

const crdtRefSchema = z.looseObject({
  name: z.string(),
  path: z.string(),
  argument: z.string().optional(),
  options: z.record(z.string(), z.unknown()).optional(),
});

/** What a convergence run is told, as its plan.json holds it and as a queue carries it to agents. */
export const convergePlanSchema = z.looseObject({
  schema: z.literal("harness.plan/1"),
  kind: z.literal("converge"),
  crdts: z.array(crdtRefSchema).min(1),
  seed: z.int(),
  regions: z.int().optional(),
  ops: z.int().optional(),
  schedules: z.int().optional(),
  timeMs: z.number().optional(),
  threads: z.int().optional(),
  shard: shardSchema.optional(),
  oracles: z.enum(["tiers", "all"]).optional(),
  index: z.int().optional(),
  journal: z.string().optional(),
  zoo: z.boolean().optional(),
  exhaustive: z.looseObject({ depth: z.int() }).optional(),
});

export type StoredConvergePlan = z.infer<typeof convergePlanSchema>;

/**
 * Reads the text of a plan.json.
 * @param source where it came from, for the message
 * @throws UsageError
 */
export function parseConvergePlan(text: string, source: string): StoredConvergePlan {
  return parsePlan(text, { file: source, kind: "converge", parse: (value) => convergePlanSchema.parse(value) });
}

/**
 * What all parts of one campaign have in common, and nothing else: which part it is, how many threads ran it, and where
 * a machine keeps its modules changes no schedule.
 */
export function campaignOf({ shard: _, threads: _threads, journal: _journal, crdts, ...rest }: StoredConvergePlan) {
  return { ...rest, crdts: crdts.map(({ name, argument, options }) => ({ name, argument, options })) };
}
