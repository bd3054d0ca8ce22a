import { availableParallelism, cpus, hostname } from "node:os";
import { z } from "zod";
import type { CrdtRef } from "../converge/adapter/crdt-ref.ts";
import type { ConvergeOptions, ConvergeProgress } from "../converge/converge-options.ts";
import type { ConvergeRun } from "../converge/run-converge.ts";
import { messageOf } from "../errors.ts";
import { AGENTS_PREFIX, type Bullmq, type BullmqJob, type BullmqWorker } from "./bullmq.ts";
import { type ShardAnswer, type ShardOrder, shardOrderSchema } from "./messages.ts";

export interface AgentOptions {
  bullmq: Bullmq;
  /** Options of ioredis. */
  connection: object;
  queue: string;
  name: string;
  threads: number;
  /** An agent that has been silent for so long has lost its shard, and another takes it, ms. */
  leaseMs: number;
  /** Ends when there has been no shard for so long, ms. Absent: goes on until the signal. */
  untilIdleMs?: number;
  /** Runs a shard. */
  run(options: ConvergeOptions): Promise<ConvergeRun>;
  /**
   * Finds the data type that an order names on this machine.
   * @param sha256 of the module, where it is a user's own
   * @throws HarnessError when it is not there, or is another
   */
  find(ref: CrdtRef, sha256: string | undefined): CrdtRef;
  /** Ends the agent: the shard that it runs goes back. */
  signal: AbortSignal;
  /** One line for each thing that happens. */
  tell(line: string): void;
}

/** A shard that its agents left this often without a word has something in it that ends them. */
const MOST_LOSSES = 5;
const PROGRESS_EVERY_MS = 500;

/**
 * Takes shards of campaigns from a queue, one at a time, until the signal or until there have been none for a while.
 * Gives the number of shards that it finished.
 */
export async function runAgent(options: AgentOptions): Promise<number> {
  const { bullmq, connection, queue, name, leaseMs, signal, tell } = options;
  let finished = 0;
  let idleSinceMs = performance.now();
  let running = 0;
  /** Those that another agent may have by now. */
  const lost = new Map<string, AbortController>();

  const worker: BullmqWorker = new bullmq.Worker(
    queue,
    async (job, token) => {
      running += 1;
      const loss = new AbortController();
      lost.set(job.id ?? "", loss);
      try {
        return await carryOut(job, token, loss.signal, options);
      } finally {
        lost.delete(job.id ?? "");
        running -= 1;
        idleSinceMs = performance.now();
      }
    },
    {
      ...{ connection, prefix: AGENTS_PREFIX, name, autorun: false, concurrency: 1, drainDelay: 1 },
      ...{ lockDuration: leaseMs, stalledInterval: Math.max(500, leaseMs / 2), maxStalledCount: MOST_LOSSES },
    },
  );
  worker.on("error", (error) => tell(`agent ${name}: ${messageOf(error)}`));
  worker.on("lockRenewalFailed", (ids) => {
    for (const id of ids) lost.get(id)?.abort();
  });
  worker.on("completed", () => {
    finished += 1;
  });
  await worker.waitUntilReady();
  const ended = worker.run();
  tell(`agent ${name} takes shards from ${queue}`);
  await untilOver(options, () => (running > 0 ? 0 : performance.now() - idleSinceMs));
  // The shard that runs hears of the signal and goes back; then nothing is left to wait for.
  await worker.close();
  await ended.catch((error) => tell(`agent ${name}: ${messageOf(error)}`));
  if (signal.aborted) tell(`agent ${name} ends, and has finished ${finished}`);
  return finished;
}

async function untilOver({ signal, untilIdleMs }: AgentOptions, idleMs: () => number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      if (signal.aborted || (untilIdleMs !== undefined && idleMs() >= untilIdleMs)) over();
    }, 100);
    const over = () => {
      clearInterval(timer);
      signal.removeEventListener("abort", over);
      resolve();
    };
    signal.addEventListener("abort", over);
    if (signal.aborted) over();
  });
}

async function carryOut(
  job: BullmqJob,
  token: string | undefined,
  lost: AbortSignal,
  options: AgentOptions,
): Promise<ShardAnswer> {
  const { bullmq, name, tell, signal } = options;
  const order = readOrder(job, bullmq);
  const { index, count } = order.plan.shard;
  const shard = `part ${index + 1}/${count} of ${order.campaign}`;
  const putBack = async () => {
    await job.moveToWait(token);
    tell(`agent ${name}: ${shard} goes back`);
    return new bullmq.WaitingError();
  };
  // What was taken in the moment of the signal was not begun.
  if (signal.aborted) throw await putBack();
  tell(`agent ${name}: ${shard}${job.attemptsStarted > 1 ? `, attempt ${job.attemptsStarted}` : ""}`);
  const startedAt = new Date().toISOString();
  const run = await options.run(optionsOf(order, job, AbortSignal.any([signal, lost]), options));
  if (lost.aborted) throw new Error(`agent ${name} was silent for too long: ${shard} is another's`);
  if (signal.aborted) throw await putBack();
  const [cpu] = cpus();
  return {
    schema: "harness.shard-answer/1",
    agent: { name, cpu: cpu?.model.trim() || "unknown", cores: availableParallelism() },
    startedAt,
    run,
  };
}

function readOrder({ data }: BullmqJob, { UnrecoverableError }: Bullmq): ShardOrder {
  const parsed = shardOrderSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new UnrecoverableError(`this is no order that an agent can read: ${z.prettifyError(parsed.error)}`);
}

function optionsOf(
  { plan, modules }: ShardOrder,
  job: BullmqJob,
  signal: AbortSignal,
  { threads, find, name }: AgentOptions,
): ConvergeOptions {
  const { seed, regions, ops, schedules, timeMs, oracles, shard } = plan;
  return {
    crdts: plan.crdts.map((crdt) => find(crdt as CrdtRef, modules[crdt.argument ?? crdt.name])),
    ...{ seed, shard, threads, signal },
    ...(regions === undefined ? {} : { regions }),
    ...(ops === undefined ? {} : { ops }),
    ...(schedules === undefined ? {} : { schedules }),
    ...(timeMs === undefined ? {} : { timeMs }),
    ...(oracles === undefined ? {} : { oracles }),
    onProgress: progressTeller(job, name),
  };
}

function progressTeller(job: BullmqJob, agent: string) {
  let toldMs = Number.NEGATIVE_INFINITY;
  return ({ schedules, schedulesPerSecond, failed }: ConvergeProgress): void => {
    const nowMs = performance.now();
    if (nowMs - toldMs < PROGRESS_EVERY_MS) return;
    toldMs = nowMs;
    // Only for the eye: one that is lost is followed by another.
    job.updateProgress({ agent, schedules, schedulesPerSecond, failed }).catch(() => {});
  };
}

/** A name that tells agents of one or several machines apart. */
export const defaultAgentName = (): string => `${hostname()}.${process.pid}`;
