import type { HistoryEvent } from "../contracts/history.ts";
import type { LockPlan } from "../contracts/lock-plan.ts";
import { jobsInTheQueue } from "./jobs-in-the-queue.ts";
import { patienceNs, stalledNs } from "./patience.ts";
import type { Case } from "./report.ts";
import type { RoundIndex } from "./round-index.ts";
import type { Span } from "./spans.ts";
import { endOfRoundNs } from "./windows.ts";
import { duration, excerpt } from "./words.ts";

/** Workers with room for more that took no job while jobs waited all the time. */
export function wedgedWorkers(index: RoundIndex, plan: LockPlan): Case[] {
  return idleStretches(index, plan).flatMap((idle): Case[] => {
    const lengthNs = idle.endNs - idle.startNs;
    if (lengthNs <= patienceNs(plan) + stalledNs(index, idle, idle.worker)) return [];
    return [
      {
        index,
        class: "wedged worker",
        weight: lengthNs,
        message: `Worker ${idle.worker} took no job for ${duration(lengthNs)} while jobs waited and it had room for more.`,
        evidence: () =>
          excerpt(
            [idle.last, `the last that worker ${idle.worker} is known to have done before`],
            [index.arrivals.get(idle.waitingJob)?.end, `${idle.waitingJob} waits in the queue`],
            [idle.next, "the stretch ends"],
          ),
      },
    ];
  });
}

interface IdleStretch extends Span {
  worker: number;
  /** A job that waited in it. */
  waitingJob: string;
  last: HistoryEvent | undefined;
  next: HistoryEvent | undefined;
}

/** Something that changes who waits or who has room. */
type Turn = { atNs: number } & (
  | { kind: "arrived"; job: string }
  | { kind: "delivered"; worker: number; job: string | undefined; event: HistoryEvent }
  | { kind: "concluded" | "ready" | "gone"; worker: number; event: HistoryEvent }
);

interface WorkerState {
  alive: boolean;
  open: number;
  idleSinceNs?: number;
  last?: HistoryEvent;
}

function idleStretches(index: RoundIndex, plan: LockPlan): IdleStretch[] {
  const { concurrency } = plan;
  const stretches: IdleStretch[] = [];
  const workers = new Map<number, WorkerState>();
  const waiting = new Set<string>();
  const taken = new Set<string>();
  let waitingSinceNs = 0;

  const end = (worker: number, state: WorkerState, endNs: number, next?: HistoryEvent) => {
    const [waitingJob] = waiting;
    const startNs = Math.max(state.idleSinceNs ?? endNs, waitingSinceNs);
    if (waitingJob !== undefined && endNs > startNs) {
      stretches.push({ startNs, endNs, worker, waitingJob, last: state.last, next });
    }
  };
  for (const turn of turnsOf(index, plan)) {
    const { atNs } = turn;
    if (turn.kind === "arrived") {
      // A worker may have it before the producer hears that the queue has it.
      if (taken.has(turn.job)) continue;
      if (waiting.size === 0) waitingSinceNs = atNs;
      waiting.add(turn.job);
      continue;
    }
    const state = workers.get(turn.worker) ?? { alive: false, open: 0 };
    workers.set(turn.worker, state);
    end(turn.worker, state, atNs, turn.event);
    if (turn.kind === "delivered" && turn.job !== undefined) taken.add(turn.job);
    if (turn.kind === "delivered" && turn.job !== undefined && waiting.has(turn.job)) {
      // The last one that waited is taken: up to here the others were idle in vain.
      if (waiting.size === 1) for (const [other, its] of workers) if (its !== state) end(other, its, atNs);
      waiting.delete(turn.job);
    }
    if (turn.kind === "delivered") state.open += 1;
    if (turn.kind === "concluded") state.open -= 1;
    if (turn.kind === "ready" || turn.kind === "gone") [state.alive, state.open] = [turn.kind === "ready", 0];
    delete state.idleSinceNs;
    if (state.alive && state.open < concurrency) state.idleSinceNs = atNs;
    state.last = turn.event;
  }
  for (const [worker, state] of workers) end(worker, state, endOfRoundNs(index));
  return stretches;
}

function turnsOf(index: RoundIndex, plan: LockPlan): Turn[] {
  const turns: Turn[] = [];
  for (const { job, sinceNs } of jobsInTheQueue(index, plan)) turns.push({ atNs: sinceNs, kind: "arrived", job });
  for (const { deliver, job, worker, last } of index.executions.values()) {
    if (!deliver) continue;
    turns.push({ atNs: deliver.atNs, kind: "delivered", worker, job, event: deliver });
    // One that still waits for an answer occupies its place to the end.
    if (last.phase !== "invoke") turns.push({ atNs: last.atNs, kind: "concluded", worker, event: last });
  }
  for (const { worker, ready, stopping, ended } of index.incarnations.values()) {
    const gone = stopping ?? ended;
    if (ready) turns.push({ atNs: ready.atNs, kind: "ready", worker, event: ready });
    if (gone) turns.push({ atNs: gone.atNs, kind: "gone", worker, event: gone });
  }
  return turns.sort((a, b) => a.atNs - b.atNs);
}
