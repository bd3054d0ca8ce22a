import { rmSync } from "node:fs";
import { join } from "node:path";
import type { HistoryHeader } from "../contracts/history.ts";
import type { LockPlan } from "../contracts/lock-plan.ts";
import { messageOf, UnavailableError } from "../errors.ts";
import { HISTORY_FILE, JOURNALS_FOLDER } from "../history/stored.ts";
import { unlessAborted } from "../lock/orchestrator/abort.ts";
import type { LockField } from "../lock/orchestrator/field.ts";
import { playLockPlan } from "../lock/orchestrator/run.ts";
import { WorkerRefusal } from "../lock/orchestrator/worker-process.ts";
import { StorageError } from "../storage-error.ts";
import { SUPERVISOR_LOST, type Supervisor } from "../supervisor/parent.ts";
import type { Cell, CellOutcome } from "./cell.ts";
import type { FieldPool } from "./field-pool.ts";
import type { JudgeProcess } from "./judging/judge-process.ts";
import type { WorkerPool } from "./worker-pool.ts";

export interface RunCellOptions {
  plan: LockPlan;
  fenced: boolean;
  /** The cell's own folder. What a run before left of its history is removed. */
  folder: string;
  temporaryFolder: string;
  fields: FieldPool;
  workers: WorkerPool;
  judge: JudgeProcess;
  /** Module that exports `scenarioRegistry`. */
  scenarios: string;
  supervisor: Supervisor;
  /** Workers and servers of few cells start at a time; gives the function that lets the next one in. */
  enterStart(): Promise<() => void>;
  signal: AbortSignal;
}

export interface CellRun {
  outcome: CellOutcome;
  /** What came too late, if the machine was too busy for it. */
  late?: string;
}

/** How long workers may take to end beyond TTL and longest job, ms: those that hang are known by then. */
const FINISH_GRACE_MS = 3_500;

/** Runs one cell on servers of the pool and judges it. Its history is in its folder afterwards. */
export async function runCell(cell: Cell, options: RunCellOptions): Promise<CellRun> {
  const { plan, fenced, folder, fields, judge, scenarios, signal, enterStart } = options;
  for (const stale of [HISTORY_FILE, JOURNALS_FOLDER]) rmSync(join(folder, stale), { recursive: true, force: true });
  const leave = await enterStart();
  const startedMs = performance.now();
  let field: LockField | undefined;
  let sound = false;
  try {
    signal.throwIfAborted();
    field = await unlessAborted(signal, fields.take(plan));
    const header = await record(cell, { ...options, field, leave });
    const durationMs = Math.round(performance.now() - startedMs);
    const asked = { scenarios, scenario: cell.scenario.name, fenced, durationMs };
    const judgement = await judge.judge({ folder, header, judge: asked });
    signal.throwIfAborted();
    if (!judgement) throw new Error("nothing was judged");
    sound = judgement.sound;
    const { outcome, late } = judgement;
    return { outcome, ...(late === undefined ? {} : { late }) };
  } catch (error) {
    signal.throwIfAborted();
    if (endsTheRun(error)) throw error;
    return { outcome: unknown(reasonOf(error), Math.round(performance.now() - startedMs)) };
  } finally {
    leave();
    if (field) await fields.give(field, sound ? "sound" : "doubtful");
  }
}

/** Carries the plan out. What broke off has its journals merged all the same. */
async function record(
  cell: Cell,
  {
    plan,
    folder,
    temporaryFolder,
    supervisor,
    workers,
    judge,
    signal,
    field,
    leave,
  }: RunCellOptions & { field: LockField; leave(): void },
): Promise<HistoryHeader> {
  const startedAt = new Date().toISOString();
  const startedAtMonotonicNs = String(process.hrtime.bigint());
  const header: HistoryHeader = { schema: "harness.history/1", runId: cell.id, startedAt, startedAtMonotonicNs };
  try {
    await playLockPlan({
      ...{ plan, folder, temporaryFolder, supervisor, startedAtMonotonicNs, signal, field },
      runId: cell.id.replaceAll(/[^\w-]/g, "-"),
      rehearses: false,
      startProcess: workers.start,
      finishGraceMs: FINISH_GRACE_MS,
      onProgress: ({ phase }) => (phase === "load" ? leave() : undefined),
    });
    signal.throwIfAborted();
  } catch (error) {
    // Why it broke off is the news, unless nothing can be written any more.
    await judge.judge({ folder, header }).catch((failure: unknown) => {
      if (failure instanceof StorageError) throw failure;
    });
    throw error;
  }
  return header;
}

function reasonOf(error: unknown): string {
  const text = messageOf(error);
  const reason = error instanceof WorkerRefusal ? `The lock could not be made: ${text}` : text;
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}

/** Nothing can be recorded, or cleaned up, any more: the next cell would fare no better. */
function endsTheRun(error: unknown): boolean {
  return error instanceof StorageError || (error instanceof UnavailableError && error.code === SUPERVISOR_LOST);
}

function unknown(reason: string, durationMs: number): CellOutcome {
  return { verdict: "unknown", reason, checks: [], findings: [], durationMs };
}
