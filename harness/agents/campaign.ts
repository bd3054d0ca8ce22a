import { z } from "zod";
import type { StoredConvergePlan } from "../converge/shards/converge-plan.ts";
import type { ShardRun } from "../converge/shards/merge-runs.ts";
import { messageOf, UnavailableError } from "../errors.ts";
import { AGENTS_PREFIX, type Bullmq, type BullmqJob, type BullmqQueue } from "./bullmq.ts";
import { type ShardAnswer, type ShardOrder, shardAnswerSchema, shardProgressSchema } from "./messages.ts";

export interface AgentCampaignOptions {
  bullmq: Bullmq;
  /** Options of ioredis. */
  connection: object;
  queue: string;
  /** Id of the campaign: no other has it. */
  campaign: string;
  plan: StoredConvergePlan;
  modules: Readonly<Record<string, string>>;
  shards: number;
  signal: AbortSignal;
  onAnswer(answered: AnsweredShard): void;
  onProgress(progress: AgentsProgress): void;
  /** For what a person should know: that nobody takes shards. */
  tell(line: string): void;
}

export interface AnsweredShard extends ShardRun {
  answer: ShardAnswer;
  /** How many agents took it, those that were lost included. */
  attempts: number;
}

export interface AgentsProgress {
  done: number;
  of: number;
  agents: number;
  schedules: number;
  schedulesPerSecond: number;
  failed: number;
}

/** Events may be missed while a connection is down: what is open is looked at again. */
const LOOK_EVERY_MS = 2_000;
const TELL_IDLE_EVERY_MS = 15_000;
/** An agent that lacks a module may be followed by one that has it. */
const ATTEMPTS = 3;
const KEPT_S = 24 * 3600;

/**
 * Puts the shards of a campaign into a queue and collects what agents answer, each shard once, whoever ran it and
 * however often it was begun. Gives those that were answered: all, unless the signal came.
 * @throws UnavailableError when agents gave a shard up, with their reason
 */
export async function runOnAgents(options: AgentCampaignOptions): Promise<AnsweredShard[]> {
  const { bullmq, connection, queue: name, signal } = options;
  const queue = new bullmq.Queue(name, { connection, prefix: AGENTS_PREFIX });
  const events = new bullmq.QueueEvents(name, { connection, prefix: AGENTS_PREFIX });
  // Connections are made again by themselves; what was missed meanwhile is looked up.
  for (const one of [queue, events]) one.on("error", () => {});
  const collector = new Collector(queue, options);
  try {
    await Promise.all([queue.waitUntilReady(), events.waitUntilReady()]);
    for (const event of ["completed", "failed", "progress", "active"] as const) {
      events.on(event, ({ jobId }) => collector.look(jobId));
    }
    await queue.addBulk(collector.orders());
    const timer = setInterval(() => collector.lookAtAll(), LOOK_EVERY_MS);
    const abort = () => collector.stop();
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    try {
      return await collector.all;
    } finally {
      clearInterval(timer);
      signal.removeEventListener("abort", abort);
      await collector.takeBack();
    }
  } finally {
    await Promise.allSettled([events.close(), queue.close()]);
  }
}

/** What is known of the shards of one campaign. */
class Collector {
  readonly all: Promise<AnsweredShard[]>;
  private readonly queue: BullmqQueue;
  private readonly options: AgentCampaignOptions;
  private readonly open = new Set<string>();
  private readonly looking = new Set<string>();
  private readonly answered = new Map<number, AnsweredShard>();
  private readonly running = new Map<string, z.infer<typeof shardProgressSchema>>();
  private resolve: (answers: AnsweredShard[]) => void = () => {};
  private reject: (error: Error) => void = () => {};
  private toldIdleMs = performance.now() - TELL_IDLE_EVERY_MS + 5_000;

  constructor(queue: BullmqQueue, options: AgentCampaignOptions) {
    this.queue = queue;
    this.options = options;
    this.all = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.all.catch(() => {});
  }

  orders() {
    const { campaign, plan, modules, shards: count } = this.options;
    return Array.from({ length: count }, (_, index) => {
      const order: ShardOrder = {
        schema: "harness.shard/1",
        campaign,
        plan: { ...plan, shard: { index, count } },
        modules: { ...modules },
      };
      const jobId = this.idOf(index);
      this.open.add(jobId);
      const kept = { age: KEPT_S };
      return {
        name: "shard",
        data: order,
        // The same id is the same shard: added twice, it is there once.
        opts: {
          ...{ jobId, attempts: ATTEMPTS, backoff: { type: "fixed", delay: 500 } },
          ...{ removeOnComplete: kept, removeOnFail: kept },
        },
      };
    });
  }

  private idOf(index: number): string {
    return `${this.options.campaign}.${index}`;
  }

  lookAtAll(): void {
    for (const id of this.open) this.look(id);
    void this.tellWhenIdle();
  }

  look(id: string): void {
    if (!this.open.has(id) || this.looking.has(id)) return;
    this.looking.add(id);
    this.lookAt(id)
      // Without a connection: the next look tells.
      .catch(() => {})
      .finally(() => this.looking.delete(id));
  }

  private async lookAt(id: string): Promise<void> {
    const job = await this.queue.getJob(id);
    if (!job) {
      this.reject(
        new UnavailableError(`The shard ${id} is no longer in the queue: somebody has emptied it. Run it again.`, {
          code: "SHARD_GONE",
        }),
      );
      return;
    }
    const state = await job.getState();
    if (state === "completed") {
      // Its answer came with the state or before it: what was read first may lack it.
      const ended = (await this.queue.getJob(id)) ?? job;
      this.take(id, ended);
    } else if (state === "failed") this.giveUp(job);
    else this.note(id, job);
  }

  private take(id: string, job: BullmqJob): void {
    const index = Number(id.slice(this.options.campaign.length + 1));
    if (!this.open.delete(id)) return;
    this.running.delete(id);
    const parsed = shardAnswerSchema.safeParse(job.returnvalue);
    if (!parsed.success) {
      this.reject(new UnavailableError(`An agent's answer cannot be read: ${z.prettifyError(parsed.error)}`));
      return;
    }
    const { data: answer } = parsed;
    const shard = { index, count: this.options.shards };
    // What the schema took is what the runner gives; only absent fields are spelled another way.
    const run = answer.run as ShardRun["run"];
    const answered = { shard, run, answer, attempts: job.attemptsStarted };
    this.answered.set(index, answered);
    this.options.onAnswer(answered);
    this.tellProgress();
    if (this.open.size === 0) this.stop();
  }

  private giveUp({ id, failedReason }: BullmqJob): void {
    this.reject(
      new UnavailableError(
        `Agents could not run the shard ${id}: ${failedReason ?? "for an unknown reason"}. What the others found is in the run folder.`,
        { code: "SHARD_FAILED" },
      ),
    );
  }

  private note(id: string, { progress }: BullmqJob): void {
    const parsed = shardProgressSchema.safeParse(progress);
    if (parsed.success) this.running.set(id, parsed.data);
    this.tellProgress();
  }

  private tellProgress(): void {
    const done = [...this.answered.values()].flatMap(({ run }) => run.crdts);
    const now = [...this.running.values()];
    this.options.onProgress({
      done: this.answered.size,
      of: this.options.shards,
      agents: new Set(now.map(({ agent }) => agent)).size,
      schedules: sum(done.map(({ schedules }) => schedules)) + sum(now.map(({ schedules }) => schedules)),
      schedulesPerSecond: sum(now.map(({ schedulesPerSecond }) => schedulesPerSecond)),
      failed: sum(done.flatMap(({ failed }) => Object.values(failed))) + sum(now.map(({ failed }) => failed)),
    });
  }

  private async tellWhenIdle(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.toldIdleMs < TELL_IDLE_EVERY_MS || this.running.size > 0) return;
    this.toldIdleMs = nowMs;
    const workers = await this.queue.getWorkersCount().catch(() => undefined);
    if (workers === 0) {
      this.options.tell(
        `No agent takes shards from ${this.options.queue} yet. Start some of this version: harness agent --redis URL`,
      );
    }
  }

  /** Ends with what there is. */
  stop(): void {
    this.resolve([...this.answered.values()].sort((a, b) => a.shard.index - b.shard.index));
  }

  /** Takes what nobody has begun out of the queue again. */
  async takeBack(): Promise<void> {
    await Promise.allSettled(
      [...this.open].map(async (id) => {
        const job = await this.queue.getJob(id);
        if (job && (await job.getState()) !== "active") await job.remove();
      }),
    );
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Why a server cannot be used, as an error with what to do. */
export const agentsUnavailable = (address: string, error: unknown): UnavailableError =>
  new UnavailableError(
    `The Redis of the agents, ${address}, cannot be used: ${explained(messageOf(error).replace(/[.!]+$/, ""))}. ` +
      "Start it, or name another: harness agent --redis URL, harness converge --agents URL.",
    { code: "AGENTS_REDIS", cause: error },
  );

function explained(message: string): string {
  if (/ECONNREFUSED|ENOENT/.test(message)) return `nothing listens there (${message})`;
  if (/ENOTFOUND|EAI_AGAIN/.test(message)) return `there is no such host (${message})`;
  return message;
}
