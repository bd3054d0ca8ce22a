import { z } from "zod";
import type { LockPlan } from "../contracts/lock-plan.ts";

const moduleRef = z.object({ name: z.string(), path: z.string() });
const primitives = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
const parameters = z.record(z.string(), z.union([z.number(), z.string()]));

const jobTime = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("constant"), ms: z.number().nonnegative() }),
  z.object({
    kind: z.literal("lognormal"),
    p50Ms: z.number().positive(),
    p99Ms: z.number().positive(),
    maxMs: z.number().positive(),
  }),
  z.object({ kind: z.literal("recorded"), valuesMs: z.array(z.number().nonnegative()).min(1) }),
]);

/** An option of a library that its adapter does not leave at the library's default. */
export const changedDefaultSchema = z.object({
  option: z.string(),
  libraryDefault: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  used: z.union([z.string(), z.number(), z.boolean()]),
  why: z.string(),
});

const trigger = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("at"), atMs: z.number().nonnegative() }),
  z.object({
    kind: z.literal("on"),
    event: z.enum(["grant", "extend", "release", "effect", "command"]),
    nth: z.int().nonnegative(),
    afterMs: z.number().nonnegative(),
    command: z.string().exactOptional(),
    keyPattern: z.string().exactOptional(),
  }),
]);

const plannedFault = z.object({
  id: z.string(),
  name: z.string(),
  targets: z.array(z.string()),
  parameters,
  trigger,
  forMs: z.number().positive().exactOptional(),
});

const plannedRound = z.object({
  round: z.int().positive(),
  order: z.array(z.int().nonnegative()),
  arrivals: z.array(
    z.object({
      job: z.string(),
      key: z.string(),
      atUs: z.number().nonnegative(),
      durationUs: z.number().nonnegative(),
    }),
  ),
  faults: z.array(plannedFault),
});

/** A stored plan of a lock run. Fields that are not known here pass, and stay. */
const lockPlanSchema = z.looseObject({
  schema: z.literal("harness.plan/1"),
  kind: z.literal("lock"),
  seed: z.int(),
  topology: z.enum(["single", "replicated", "sentinel", "redlock", "external"]),
  workers: z.int().positive(),
  concurrency: z.int().positive(),
  ttlMs: z.number().positive(),
  renewEveryMs: z.number().positive().exactOptional(),
  visibilityMs: z.number().positive(),
  claimIntervalMs: z.number().positive(),
  ack: z.enum(["inside", "after"]),
  onSkip: z.enum(["leave", "drop"]),
  fencing: z.enum(["on", "off"]),
  queue: moduleRef.extend({ options: primitives.exactOptional() }),
  queueOn: z.enum(["lock", "own"]),
  job: moduleRef.extend({ time: jobTime, idempotent: z.boolean().exactOptional() }),
  commandTimeoutMs: z.number().positive().exactOptional(),
  load: z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("open"),
      perMinute: z.number().positive(),
      arrivals: z.enum(["poisson", "constant"]),
      keys: z.union([z.literal("per-job"), z.int().positive()]),
    }),
    z.object({
      kind: z.literal("max"),
      inFlight: z.int().positive(),
      cycles: z.int().positive().exactOptional(),
      holdMs: z.number().nonnegative().exactOptional(),
    }),
  ]),
  roundMs: z.number().positive(),
  arms: z.array(
    z.object({
      name: z.string(),
      role: z.enum(["control", "lock"]),
      lock: moduleRef.extend({ options: primitives }),
      changedDefaults: z.array(changedDefaultSchema).exactOptional(),
      look: z.boolean(),
    }),
  ),
  rounds: z.array(plannedRound),
  proxied: z.boolean(),
  trace: z.boolean().exactOptional(),
  profile: z.string().exactOptional(),
});

/** Reads a plan that was parsed from JSON. */
export function parseLockPlan(value: unknown): LockPlan {
  return lockPlanSchema.parse(value);
}
