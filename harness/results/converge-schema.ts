import { z } from "zod";
import { envelopeShape } from "./common-schema.ts";
import { mergedShardSchema } from "./shards.ts";

/** A message between two regions, by its number within the schedule. */
const convergeMessageSchema = z.object({
  number: z.int(),
  /** Indices of the regions. */
  from: z.int(),
  to: z.int(),
});

/** One step of a counterexample, with what it left behind in the region where it happened. */
export const convergeStepSchema = z.object({
  /** `operation`, `clock`, `send`, `deliver`, `again`, `lose`, `cut`, `heal`, `restart`, `amnesia`, `collect`, `forward`, `exchange`, ... */
  kind: z.string(),
  /** Index of the region where it happens; of a cut or a heal, one end of the link. */
  region: z.int(),
  /** One sentence: `fra sets price to 120`. */
  text: z.string(),
  /** Messages that leave the region in this step. */
  sent: z.array(convergeMessageSchema).optional(),
  /** The message that reaches the region in this step, or is lost in it. */
  received: convergeMessageSchema.optional(),
  /** The other end of a link that is cut or healed. */
  peer: z.int().optional(),
  /** The region's clocks after the step: wall clock, and the last stamp of its hybrid logical clock. */
  clock: z.object({ wallMs: z.number(), l: z.number().optional(), c: z.number().optional() }).optional(),
  /** What the region shows after the step, as text. */
  value: z.string().optional(),
  /** Why an operation or a message was refused. */
  refused: z.string().optional(),
});

export const convergeFailureSchema = z.object({
  oracle: z.string(),
  seed: z.int(),
  /** Number of the schedule. */
  index: z.int(),
  /** Events of the schedule as it was found, and as it was shrunk. */
  eventsBefore: z.int(),
  eventsAfter: z.int(),
  /** Shrinking ended before the schedule was as small as it could be: out of time, or interrupted. */
  shrinkingCutShort: z.boolean().optional(),
  steps: z.array(convergeStepSchema),
  /** Index of the step at which it was seen; the number of steps when it was seen at the end. */
  failedAt: z.int(),
  /** Index of the region where it was seen. */
  region: z.int(),
  expected: z.string(),
  actual: z.string(),
  /** What every region shows at the moment of the failure, in the order of the regions. */
  values: z.array(z.string()).optional(),
  replay: z.string(),
  /** Name of the replay file within the run folder. */
  file: z.string().optional(),
});

export const convergeCrdtSchema = z.object({
  name: z.string(),
  regions: z.int(),
  /** Their ids, in the order of their indices. */
  regionIds: z.array(z.string()),
  schedules: z.int(),
  /** How many were asked for; absent where only time limited them. */
  schedulesAsked: z.int().optional(),
  events: z.int(),
  schedulesPerSecond: z.number(),
  elapsedMs: z.number(),
  /** Events that ran, by kind. */
  histogram: z.record(z.string(), z.int()),
  /** What a campaign should have met at least once, and how often it did. */
  sometimes: z.record(z.string(), z.int()),
  /** How many schedules failed, by oracle; `failures` holds the first few of each. */
  failed: z.record(z.string(), z.int()),
  failures: z.array(convergeFailureSchema),
  /** Schedules a second of each round or slice, for comparing runs. */
  speeds: z.array(z.number()).optional(),
  /** Whom a write waits for beyond its own region; absent: nobody. */
  writesWaitFor: z.string().optional(),
  /** Present on implementations that are broken on purpose. */
  mutant: z
    .object({
      wrongThought: z.string(),
      caughtBy: z.array(z.string()),
      killed: z.boolean(),
      /** The oracle that caught it, and after how many schedules; null when nothing did. */
      oracle: z.string().nullable(),
      schedulesUntilFound: z.int().nullable(),
      /** Events of the shrunk schedule. */
      shrunkTo: z.int().nullable(),
    })
    .optional(),
  /** Present after an exhaustive search. */
  exhaustive: z
    .object({
      depth: z.int(),
      schedules: z.number(),
      pruned: z.number(),
      exhausted: z.boolean(),
      /** About how many the whole space has; present where it is not exhausted. */
      estimatedSchedules: z.number().optional(),
      symmetry: z.boolean(),
      /** What the search does not cover. */
      notes: z.array(z.string()),
    })
    .optional(),
});

export const convergeResultSchema = z.object({
  ...envelopeShape,
  kind: z.literal("converge"),
  /** `fuzz`, `zoo` or `exhaustive`. */
  mode: z.string(),
  threads: z.int(),
  /** Names of the oracles that judged. */
  oracles: z.array(z.string()),
  crdts: z.array(convergeCrdtSchema),
  warnings: z.array(z.string()),
  /** The parts that it was merged from. */
  shards: z.array(mergedShardSchema).optional(),
});

export type ConvergeStep = z.infer<typeof convergeStepSchema>;
export type ConvergeFailure = z.infer<typeof convergeFailureSchema>;
export type ConvergeCrdt = z.infer<typeof convergeCrdtSchema>;
export type ConvergeResult = z.infer<typeof convergeResultSchema>;
