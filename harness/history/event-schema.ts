import { z } from "zod";
import type { HistoryEvent, HistoryHeader, Operation, Phase } from "../contracts/history.ts";

export const OPERATIONS = [
  "arrive",
  "deliver",
  "acquire",
  "look",
  "extend",
  "lost",
  "effect",
  "ack",
  "release",
  "skip",
  "queue",
  "fault",
  "worker",
  "round",
  "sample",
  "witness",
  "trace",
] as const satisfies readonly Operation[];

export const PHASES = ["invoke", "ok", "fail", "info"] as const satisfies readonly Phase[];

/** One event. Fields that are not known here pass: a newer writer may add facts that no check of ours needs. */
export const historyEventSchema = z.looseObject({
  atNs: z.int(),
  round: z.int(),
  arm: z.string(),
  op: z.enum(OPERATIONS),
  phase: z.enum(PHASES),
  worker: z.int(),
  incarnation: z.int().optional(),
  wallMs: z.number().optional(),
  execution: z.string().optional(),
  key: z.string().optional(),
  job: z.string().optional(),
  attempt: z.int().optional(),
  token: z.string().optional(),
  fencingToken: z.number().optional(),
  validUntilMs: z.number().optional(),
  outcome: z.string().optional(),
  error: z.string().optional(),
  detail: z.record(z.string(), z.unknown()).optional(),
});

export const historyHeaderSchema = z.looseObject({
  schema: z.literal("harness.history/1"),
  runId: z.string(),
  startedAt: z.iso.datetime(),
  startedAtMonotonicNs: z.string().regex(/^\d+$/),
}) satisfies z.ZodType<HistoryHeader>;

// Fails to compile when the schema and the contract drift apart in a name or a type that either demands.
type Known = Pick<z.infer<typeof historyEventSchema>, keyof HistoryEvent>;
export type SchemaMatchesContract = [HistoryEvent] extends [Known] ? true : never;
const matches: SchemaMatchesContract = true;
void matches;
