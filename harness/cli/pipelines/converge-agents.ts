import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type AnsweredShard, runOnAgents } from "../../agents/campaign.ts";
import { queueName } from "../../agents/messages.ts";
import type { ConvergeRun } from "../../converge/run-converge.ts";
import { mergeRuns } from "../../converge/shards/merge-runs.ts";
import { type MergedShard, shardText } from "../../results/shards.ts";
import type { RunFolder } from "../../results/store.ts";
import { moduleHashes } from "../agent-modules.ts";
import type { ConvergeRequest } from "../converge-request.ts";
import type { CommandIo } from "../io.ts";
import { openAgentsQueue } from "../load-bullmq.ts";
import { toolFacts } from "../version.ts";
import { finishConverge, lazyFolder, tellConverge } from "./converge.ts";

type AgentsRequest = ConvergeRequest & Required<Pick<ConvergeRequest, "agents">>;

/** Has agents run a convergence campaign and joins what they find into one result. Gives the exit code. */
export async function runConvergeOnAgents(request: AgentsRequest, io: CommandIo): Promise<number> {
  const { agents } = request;
  const { bullmq, connection } = await openAgentsQueue(agents.url);
  const modules = moduleHashes(request.plan.crdts);
  const { threads: _, ...campaign } = request.plan;
  const { schedules } = campaign;
  const startedAt = new Date();
  const startedMs = performance.now();
  const folder = lazyFolder(request, startedAt, io)();
  tellConverge(request, folder, io);
  mkdirSync(join(folder.path, SHARDS_FOLDER));
  const answered = await runOnAgents({
    ...{ bullmq, connection, modules, signal: io.signal },
    queue: queueName(agents.queue, toolFacts()),
    campaign: folder.id,
    plan: { ...campaign, crdts: campaign.crdts.map((crdt) => ({ ...crdt, options: { ...crdt.options } })) },
    shards: Math.min(agents.shards, schedules ?? agents.shards),
    tell: (line) => io.stderr(`${line}\n`),
    onAnswer: (shard) => store(shard, folder),
    onProgress({ done, of, agents: working, schedulesPerSecond, failed }) {
      io.progress.update({
        phase: `${done} of ${of} shards, ${working} at work`,
        elapsedMs: performance.now() - startedMs,
        rate: { perSecond: schedulesPerSecond, unit: "schedules" },
        violations: failed,
      });
    },
  });
  io.progress.end();
  const names = campaign.crdts.map(({ name }) => name);
  const run =
    answered.length === 0
      ? nothingAnswered(campaign.seed, performance.now() - startedMs)
      : { ...mergeRuns(answered, { names, schedules, missing: io.signal.aborted }), threads: threadsOf(answered) };
  return await finishConverge({ ...request, plan: { ...request.plan, threads: run.threads } }, run, {
    folder,
    startedAt,
    io,
    shards: { shards: answered.map(mergedShard) },
  });
}

/** Interrupted before any agent had answered: the result says so, and the folder has the plan. */
function nothingAnswered(seed: number, durationMs: number): ConvergeRun {
  return {
    ...{ mode: "fuzz", seed, threads: 0, crdts: [], warnings: [], durationMs, files: {} },
    status: "interrupted",
    statusReason: "Interrupted before any agent had answered: nothing is known of it.",
  };
}

/** Those that worked: an agent has the same threads for each of its shards. */
function threadsOf(answered: readonly AnsweredShard[]): number {
  const byAgent = new Map(answered.map(({ answer, run }) => [answer.agent.name, run.threads]));
  return [...byAgent.values()].reduce((sum, threads) => sum + threads, 0);
}

const SHARDS_FOLDER = "shards";

/** As they come in: what was found stays, whatever becomes of the rest. */
function store({ shard, answer }: AnsweredShard, folder: RunFolder): void {
  folder.writeFile(
    `${SHARDS_FOLDER}/${shard.index + 1}-of-${shard.count}.json`,
    `${JSON.stringify(answer, null, 1)}\n`,
  );
}

function mergedShard({ shard, run, answer: { agent, startedAt }, attempts }: AnsweredShard): MergedShard {
  const { name, cpu, cores } = agent;
  return { shard: shardText(shard), id: name, startedAt, durationMs: run.durationMs, cpu, cores, attempts };
}
