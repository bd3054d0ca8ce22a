import { z } from "zod";
import { envelopeShape, findingSchema } from "./common-schema.ts";
import { mergedShardSchema } from "./shards.ts";

/** `unknown`: the scenario's reach conditions were not met. */
export const cellVerdictSchema = z.enum(["held", "broke", "hung", "unknown", "not-applicable"]);

/** A fault as it happened in the run that speaks for a cell, ns since the start of that run. */
export const cellFaultSchema = z.object({ name: z.string(), target: z.string(), fromNs: z.int(), toNs: z.int() });

export const matrixCellSchema = z.object({
  lock: z.string(),
  scenario: z.string(),
  verdict: cellVerdictSchema,
  /** One sentence: why this verdict. */
  reason: z.string(),
  /** Names of the checks that found something. */
  checks: z.array(z.string()),
  /** How many times the cell ran, and in how many of them the lock broke. */
  n: z.int(),
  broke: z.int(),
  durationMs: z.number(),
  evidence: z.array(findingSchema),
  /** Faults in force, but for those that lasted for the whole round; absent where nothing was found. */
  faults: z.array(cellFaultSchema).optional(),
  replay: z.string(),
});

/** One line of the self-test: what a lock was to show in a scenario, and whether the checks saw it. */
const selfTestCaseSchema = z.object({
  lock: z.string(),
  scenario: z.string(),
  /** Checks that must find something; none: no check may. */
  checks: z.array(z.string()),
  verdict: z.enum(["as expected", "missed", "false alarm", "not reached"]),
  reason: z.string(),
});

export const matrixResultSchema = z.object({
  ...envelopeShape,
  kind: z.literal("matrix"),
  locks: z.array(z.object({ name: z.string(), summary: z.string(), brokenOnPurpose: z.boolean() })),
  scenarios: z.array(z.object({ name: z.string(), summary: z.string() })),
  cells: z.array(matrixCellSchema),
  selfTest: z.array(selfTestCaseSchema).optional(),
  warnings: z.array(z.string()),
  /** The parts that it was merged from. */
  shards: z.array(mergedShardSchema).optional(),
});

export type CellVerdict = z.infer<typeof cellVerdictSchema>;
export type CellFault = z.infer<typeof cellFaultSchema>;
export type MatrixCell = z.infer<typeof matrixCellSchema>;
export type MatrixResult = z.infer<typeof matrixResultSchema>;
