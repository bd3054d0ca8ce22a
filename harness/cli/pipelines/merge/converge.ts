import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ConvergeRun } from "../../../converge/run-converge.ts";
import { campaignOf, parseConvergePlan } from "../../../converge/shards/converge-plan.ts";
import { mergeRuns, type ShardRun } from "../../../converge/shards/merge-runs.ts";
import { UsageError } from "../../../errors.ts";
import type { ConvergeResult } from "../../../results/converge-schema.ts";
import { completeShards, type MergedShard, refuseDifferent, shardText } from "../../../results/shards.ts";
import { PLAN_FILE } from "../../../results/store.ts";
import type { ConvergePlan, ConvergeRequest } from "../../converge-request.ts";
import type { CommandIo } from "../../io.ts";
import type { MergeInput } from "../../merge-input.ts";
import { finishConverge, lazyFolder } from "../converge.ts";
import type { MergeOptions } from "./merge-options.ts";

/** Joins the shards of a convergence campaign into one result with its reports. Gives the exit code. */
export async function mergeConverge(
  inputs: readonly MergeInput<"converge">[],
  options: MergeOptions,
  io: CommandIo,
): Promise<number> {
  const read = inputs.map(readPart);
  refuseDifferent(read, ({ campaign }) => campaign);
  refuseDifferent(read, ({ result: { tool } }) => ({ "the version of holdfast": tool.version, commit: tool.commit }));
  const parts = completeShards(read);
  const [first] = parts as [Part];
  const { plan, result } = first;
  const run = mergeRuns(parts, {
    names: plan.crdts.map(({ name }) => name),
    schedules: plan.schedules,
    timeMs: plan.timeMs,
  });
  const times = parts.map((part) => Date.parse(part.result.startedAt));
  const startedAt = new Date(Math.min(...times));
  const ended = parts.map((part, index) => (times[index] ?? 0) + part.result.durationMs);
  const request = requestOf(first, run, options);
  return await finishConverge(request, run, {
    folder: lazyFolder(request, startedAt, io)(),
    startedAt,
    io,
    shards: {
      shards: parts.map(mergedShard),
      durationMs: Math.max(...ended) - startedAt.getTime(),
      environment: result.environment,
      tool: result.tool,
    },
  });
}

interface Part extends ShardRun {
  source: string;
  result: ConvergeResult;
  plan: ConvergePlan;
  campaign: Readonly<Record<string, unknown>>;
}

function readPart({ source, folder, result }: MergeInput<"converge">): Part {
  const file = join(folder, PLAN_FILE);
  const plan = parseConvergePlan(readText(file), file);
  if (plan.shard === undefined) {
    throw new UsageError(
      `${source} is a whole campaign, and no part of one: nothing is to be merged with it. Parts are run with --shard 1/n to n/n.`,
      { code: "BAD_SHARDS" },
    );
  }
  return {
    ...{ source, result, shard: plan.shard },
    plan: plan as ConvergePlan,
    campaign: campaignOf(plan),
    run: runOf(folder, result, source),
  };
}

function runOf(folder: string, result: ConvergeResult, source: string): ConvergeRun {
  const { mode, seed, threads, status, statusReason, crdts, warnings, durationMs } = result;
  const names = crdts.flatMap(({ failures }) => failures.flatMap(({ file }) => (file === undefined ? [] : [file])));
  const files = names.map((name) => {
    const path = join(folder, name);
    if (existsSync(path)) return [name, readText(path)] as const;
    throw new UsageError(`${source} names the counterexample ${name}, which is not there: copy the whole folder.`, {
      code: "NO_FILE",
    });
  });
  return {
    mode: mode as ConvergeRun["mode"],
    ...{ seed, threads, status, statusReason, crdts, warnings, durationMs },
    files: Object.fromEntries(files),
  };
}

function mergedShard({ shard, result: { id, startedAt, durationMs, environment } }: Part): MergedShard {
  const { cpu, cores } = environment;
  return { shard: shardText(shard), id, startedAt, durationMs, cpu, cores };
}

/** The campaign as a whole: as it would have run on one machine. */
function requestOf({ plan, result }: Part, run: ConvergeRun, options: MergeOptions): ConvergeRequest {
  const { shard: _, ...whole } = plan;
  const { shard: _shard, threads: _threads, ...config } = result.config as Record<string, string>;
  return {
    plan: { ...whole, threads: run.threads },
    config,
    replay: result.replay.replace(/ --shard \S+/, "").replace(/ --threads \S+/, ""),
    ...options,
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new UsageError(`${file} is not there: to merge a run takes its whole folder.`, { code: "NO_FILE" });
  }
}
