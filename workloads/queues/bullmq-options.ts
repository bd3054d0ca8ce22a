import { z } from "zod";
import type { ChangedDefault } from "../../harness/contracts/lock-adapter.ts";
import type { QueueContext } from "../../harness/contracts/queue.ts";

/** BullMQ's own: as many stalls as it forgives a job. */
const MAX_STALLED_COUNT = 1;

const optionSchema = z.strictObject({
  /** How long a job's lock lasts unless it is renewed, ms. */
  lockDurationMs: z.coerce.number().int().positive().optional(),
  /** How often a worker looks for jobs that have lost their lock, ms. */
  stalledIntervalMs: z.coerce.number().int().positive().optional(),
  /** How often a job may stall before it is given up. */
  maxStalledCount: z.coerce.number().int().nonnegative().optional(),
});

export interface BullmqSettings {
  lockDuration: number;
  stalledInterval: number;
  maxStalledCount: number;
}

/**
 * BullMQ's settings: the job's lock lasts as long as the visibility timeout, and stalls are looked for as often, which is
 * the proportion of BullMQ's defaults (30 s each).
 * @throws Error that names the option and what there is
 */
export function bullmqSettings({
  visibilityMs,
  options = {},
}: Pick<QueueContext, "visibilityMs" | "options">): BullmqSettings {
  const parsed = optionSchema.safeParse(options);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => [...path, message].join(": "));
    throw new Error(
      `options of bullmq: ${problems.join("; ")}. It understands ${Object.keys(optionSchema.shape).join(", ")}.`,
    );
  }
  const { lockDurationMs = visibilityMs, stalledIntervalMs, maxStalledCount = MAX_STALLED_COUNT } = parsed.data;
  return { lockDuration: lockDurationMs, stalledInterval: stalledIntervalMs ?? lockDurationMs, maxStalledCount };
}

export const bullmqChanges: readonly ChangedDefault[] = [
  { option: "lockDuration", libraryDefault: 30_000, used: "the visibility timeout", why: "it is BullMQ's own" },
  {
    option: "stalledInterval",
    libraryDefault: 30_000,
    used: "the lock duration",
    why: "in the proportion of the defaults",
  },
  {
    option: "attempts",
    libraryDefault: 1,
    used: 1_000_000,
    why: "a job that was left comes again, as often as needed",
  },
  {
    option: "backoff",
    libraryDefault: 0,
    used: "the visibility timeout",
    why: "a job that was left comes again after it",
  },
];

/** So often a job that was left comes again. */
export const ATTEMPTS = 1_000_000;
