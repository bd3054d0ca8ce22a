import { z } from "zod";
import { convergePlanSchema } from "../converge/shards/converge-plan.ts";
import { statusSchema } from "../results/common-schema.ts";
import { convergeCrdtSchema } from "../results/converge-schema.ts";

/** What an agent is told: one shard of a campaign. */
export const shardOrderSchema = z.object({
  schema: z.literal("harness.shard/1"),
  /** Id of the campaign's result. */
  campaign: z.string(),
  /** The whole plan, with `shard`. Paths in it are those of the machine that asks. */
  plan: convergePlanSchema.required({ shard: true }),
  /** SHA-256 of every module of a user's own, by how it is named on the command line. */
  modules: z.record(z.string(), z.string()),
});

export type ShardOrder = z.infer<typeof shardOrderSchema>;

const fileName = z.string().regex(/^counterexamples\/[\w.-]+$/, "is no file name of a counterexample");

/** What an agent answers. */
export const shardAnswerSchema = z.object({
  schema: z.literal("harness.shard-answer/1"),
  agent: z.object({ name: z.string(), cpu: z.string(), cores: z.int() }),
  startedAt: z.iso.datetime(),
  run: z.object({
    mode: z.enum(["fuzz", "zoo", "exhaustive"]),
    seed: z.int(),
    threads: z.int(),
    status: statusSchema,
    statusReason: z.string(),
    crdts: z.array(convergeCrdtSchema),
    warnings: z.array(z.string()),
    durationMs: z.number(),
    files: z.record(fileName, z.string()),
  }),
});

export type ShardAnswer = z.infer<typeof shardAnswerSchema>;

/** What an agent says of a shard while it runs. */
export const shardProgressSchema = z.object({
  agent: z.string(),
  schedules: z.number(),
  schedulesPerSecond: z.number(),
  failed: z.number(),
});

export type ShardProgress = z.infer<typeof shardProgressSchema>;

/**
 * Agents of one build serve one queue: another build may draw other schedules from the same seed, and what it found would
 * not belong into the same result.
 */
export function queueName(name: string, { version, commit, dirty }: AgentBuild): string {
  return [name, version, commit?.slice(0, 12), dirty ? "changed" : undefined].filter(Boolean).join("-");
}

export interface AgentBuild {
  version: string;
  commit: string | null;
  dirty: boolean | null;
}
