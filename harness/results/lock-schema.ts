import { z } from "zod";
import { envelopeShape } from "./common-schema.ts";
import { changedDefaultSchema } from "./lock-plan-schema.ts";

/** A latency distribution. `hdr` is the HdrHistogram V2 compressed base64 of the values in ns, so that results merge exactly. */
export const latencySchema = z.object({
  count: z.int(),
  p50Ms: z.number().nullable(),
  p90Ms: z.number().nullable(),
  p99Ms: z.number().nullable(),
  p999Ms: z.number().nullable(),
  maxMs: z.number().nullable(),
  hdr: z.string(),
});

export const jobCountsSchema = z.object({
  /** Jobs, not deliveries: executed + dropped + lost. */
  offered: z.int(),
  executed: z.int(),
  /** Jobs with more than one effect. */
  duplicated: z.int(),
  /** Jobs with effects of executions that overlapped. */
  concurrentDuplicates: z.int(),
  /** Jobs whose second effect came after the first execution had ended. */
  sequentialDuplicates: z.int(),
  /** Of the sequential ones, those that any lock would have: after a planned kill or an unknown acknowledgement. */
  inherentDuplicates: z.int(),
  /** duplicated / executed, 0 to 1. */
  duplicateRate: z.number(),
  /** 95 % interval of the rate; with none seen, [0, one-sided upper bound]. */
  duplicateRate95: z.tuple([z.number(), z.number()]),
  /** Greatest number of effects of one job. */
  maxExecutionsOfOneJob: z.int(),
  /** Deliveries whose lock was refused. */
  skipped: z.int(),
  /** Jobs dropped by policy (`--on-skip drop`). */
  dropped: z.int(),
  lost: z.int(),
  /** Writes to shared documents that were overwritten unseen. Absent: the job writes none. */
  lostUpdates: z.int().optional(),
  /** Rows that its executions left with different values. Absent: the job is not idempotent. */
  harmedRows: z.int().optional(),
});

const startsSchema = z.object({
  /** Jobs added more than 1 ms after their planned arrival. */
  late: z.int(),
  /** Jobs not added within 1 s. */
  dropped: z.int(),
  /** Of those, planned inside a window in which Redis was stopped on purpose. */
  droppedInFaults: z.int(),
  lateP50Ms: z.number().nullable(),
  lateP99Ms: z.number().nullable(),
});

/** How a lock fares where its keys are asked for by several: figures, none of them a finding. */
export const contentionSchema = z.object({
  /** Of jobs that were not granted at their first try: from the call of that try to the grant. */
  waits: latencySchema,
  /** From the end of a hold to the next grant of its key, where somebody had asked for it in vain meanwhile. */
  nextGrants: latencySchema,
  /** Times that several asked for a free key at once and none was granted it; of locks on several nodes. */
  splitVotes: z.int(),
  /** Redis commands that carried the token of a hold, on the node that got most of them; null: no command trace. */
  commandsPerHold: z.object({ holds: z.int(), total: z.int(), most: z.int() }).nullable(),
  /** Grants that were dead when they returned, after a stop of the worker that no lock could have seen. */
  unseenDeadGrants: z.int(),
  /** Longest time that a key stood at a server though nobody believed to hold it; null: no command trace. */
  longestOrphanMs: z.number().nullable(),
});

export const armFiguresSchema = z.object({
  jobs: jobCountsSchema,
  throughputPerMin: z.number(),
  acquire: latencySchema,
  /** Acquisitions that neither began nor ended inside a window of a pause or a stop. */
  acquireOutsideFaults: latencySchema,
  /** Planned arrival to acknowledgement. */
  response: latencySchema,
  /** Delivery to acknowledgement. */
  service: latencySchema,
  starts: startsSchema,
  /** Deliveries that the look found to be another's by now. */
  refusedDeliveries: z.int(),
  crashes: z.int(),
  cyclesPerSecond: z.number().nullable(),
  /** Absent: of a control, of a saturation run, or of a result from before there was such a thing. */
  contention: contentionSchema.optional(),
});

/** One step of the series over time, of one round. Steps go on after the load, until everything is drained. */
export const seriesPointSchema = z.object({
  /** Start of the step, ms since the start of the round's load. */
  atMs: z.number(),
  round: z.int(),
  offered: z.int(),
  achieved: z.int(),
  duplicates: z.int(),
  acquireP50Ms: z.number().nullable(),
  acquireP90Ms: z.number().nullable(),
  acquireP99Ms: z.number().nullable(),
  acquireMaxMs: z.number().nullable(),
});

const roundFiguresSchema = armFiguresSchema.extend({
  round: z.int(),
  /** Start of the round's load, ns since the run's start: where the offsets of faults and series meet the history. */
  loadStartNs: z.int().optional(),
});

export const armSchema = armFiguresSchema.extend({
  name: z.string(),
  lock: z.string(),
  role: z.enum(["control", "lock"]),
  /** What the lock's adapter does not leave at its library's defaults. */
  changedDefaults: z.array(changedDefaultSchema).optional(),
  rounds: z.array(roundFiguresSchema),
  /** Step of the series, ms. */
  seriesStepMs: z.number(),
  series: z.array(seriesPointSchema),
});

export const faultRecordSchema = z.object({
  id: z.string(),
  name: z.string(),
  arm: z.string(),
  round: z.int(),
  target: z.string(),
  params: z.record(z.string(), z.union([z.number(), z.string()])),
  /** ms since the start of the round's load; null: it waits for an event. */
  plannedAtMs: z.number().nullable(),
  injectedAtMs: z.number().nullable(),
  healedAtMs: z.number().nullable(),
  /**
   * For faults that take a server away: when the arm's grants flowed again after their longest interruption, ms since
   * the injection; null: not within the round.
   */
  grantsAgainAfterMs: z.number().nullable().optional(),
  /** Set when it could not be injected or healed: the run is then unknown. */
  error: z.string().optional(),
  look: z.object({ colour: z.string(), pattern: z.string() }),
});

/** Could this run have failed? At least 5 concurrent duplicates in the control, over at least 2 fault windows. */
export const powerSchema = z.object({
  concurrentDuplicatesInControl: z.int(),
  /** Fault windows that concurrent duplicates of the control lay in. */
  faultWindows: z.int(),
  enough: z.boolean(),
});

/**
 * How far the rates reach: the one-sided 95 % upper bound, with none seen in n units 1 - 0.05^(1/n). Duplicates that any
 * lock would have do not count. Fault windows are those in which something stood still, if there were any.
 */
export const boundsSchema = z.object({
  arm: z.string(),
  jobs: z.object({ n: z.int(), duplicated: z.int(), upper95: z.number() }),
  jobsInFlightDuringFaults: z.object({ n: z.int(), duplicated: z.int(), upper95: z.number() }),
  faultWindows: z.object({ n: z.int(), withDuplicates: z.int(), upper95: z.number() }),
});

export const adviceSchema = z.object({
  jobTimeP999Ms: z.number().nullable(),
  /** 1.5 x P99.9 of the job time. */
  suggestedTtlMs: z.number().nullable(),
  lockWorthIt: z.object({
    /** Job seconds x jobs per second, in total. Speaks of chance collisions, not of redeliveries. */
    product: z.number().nullable(),
    /** The same per key. */
    productPerKey: z.number().nullable(),
    threshold: z.number(),
    meanJobMs: z.number().nullable(),
    worthIt: z.boolean().nullable(),
  }),
  /** Sentences, each with the reason that was measured. */
  notes: z.array(z.object({ topic: z.string(), text: z.string() })),
  /** How many rounds a comparison of this result needs to be able to find a regression. */
  roundsForComparison: z.int(),
});

export const lockResultSchema = z.object({
  ...envelopeShape,
  kind: z.literal("lock"),
  topology: z.string(),
  plan: z.object({
    file: z.string(),
    sha256: z.string(),
    profile: z.string().nullable(),
    faultsText: z.string(),
    roundMs: z.number(),
    rounds: z.int(),
  }),
  /** Names of the checks that ran over the history. */
  checks: z.array(z.string()).optional(),
  /** Planned ones that never came about included. */
  faults: z.array(faultRecordSchema),
  arms: z.array(armSchema),
  power: powerSchema.nullable(),
  bounds: z.array(boundsSchema),
  advice: adviceSchema,
  /** What the look removed (literal control - control) and what the lock removed (control - lock), in jobs. */
  removed: z.object({ byLook: z.int().nullable(), byLock: z.array(z.object({ arm: z.string(), jobs: z.int() })) }),
  warnings: z.array(z.string()),
  /** What made the runner doubt the run, as sentences: with any, it is unknown. */
  doubts: z.array(z.string()).optional(),
});

export type Latency = z.infer<typeof latencySchema>;
export type JobCounts = z.infer<typeof jobCountsSchema>;
export type Contention = z.infer<typeof contentionSchema>;
export type ArmFigures = z.infer<typeof armFiguresSchema>;
export type ArmResult = z.infer<typeof armSchema>;
export type SeriesPoint = z.infer<typeof seriesPointSchema>;
export type FaultRecord = z.infer<typeof faultRecordSchema>;
export type Advice = z.infer<typeof adviceSchema>;
export type Power = z.infer<typeof powerSchema>;
export type Bounds = z.infer<typeof boundsSchema>;
export type LockResult = z.infer<typeof lockResultSchema>;
