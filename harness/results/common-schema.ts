import { z } from "zod";
import { historyEventSchema } from "../history/event-schema.ts";

/** The pieces that results of every kind share. Times are ms unless the name says otherwise; rates of change per minute. */

export const statusSchema = z.enum(["passed", "failed", "unknown", "interrupted"]);

export const findingSchema = z.object({
  check: z.string(),
  class: z.string(),
  arm: z.string(),
  count: z.int(),
  message: z.string(),
  inherent: z.boolean().optional(),
  evidence: z.array(historyEventSchema.extend({ note: z.string().optional(), promiseEndsAtNs: z.int().optional() })),
});

export const toolSchema = z.object({
  version: z.string(),
  commit: z.string().nullable(),
  dirty: z.boolean().nullable(),
});

export const environmentSchema = z.object({
  node: z.string(),
  os: z.string(),
  cpu: z.string(),
  cores: z.int(),
  redis: z.object({ version: z.string(), source: z.string(), how: z.string() }).optional(),
});

/** What every result starts with. */
export const envelopeShape = {
  schema: z.literal("harness.result/1"),
  id: z.string(),
  startedAt: z.iso.datetime(),
  durationMs: z.number(),
  status: statusSchema,
  /** One or two sentences: why this status, and what would change it. */
  statusReason: z.string(),
  seed: z.int(),
  argv: z.array(z.string()),
  /** The resolved configuration; passwords are redacted. */
  config: z.record(z.string(), z.unknown()),
  /** The command that does the same again. */
  replay: z.string(),
  tool: toolSchema,
  environment: environmentSchema,
  findings: z.array(findingSchema),
} as const;

export type Status = z.infer<typeof statusSchema>;
