import { type FaultWorker, nowNs } from "../../faults/fault.ts";
import type { Supervisor } from "../../supervisor/parent.ts";
import type { Journal } from "../journal.ts";
import type { ArmedTrigger, TriggerLine, WorkerAssignment } from "../messages.ts";
import type { KeyTemplate } from "../trace/key-templates.ts";
import { lastWords, recordingFailure, type WorkerExit } from "../worker-end.ts";
import { startWorkerProcess, type WorkerProcess, type WorkerProcessOptions, WorkerRefusal } from "./worker-process.ts";

/** A worker that ends this often by itself within one round will not do better the next time. */
const MOST_CRASHES = 5;

/** The workers of one round of one arm, each played by one process at a time; one that crashes is replaced. */
export interface Roster {
  /** Faults act on whichever process plays the worker now. */
  readonly workers: readonly FaultWorker[];
  /** Starts the processes and has them load what they need, without connecting. May be called again, to wait. */
  load(): Promise<void>;
  /**
   * Gives how their lock spells its keys. Without a journal nothing is written down of them.
   * @param limitMs how long createLock may take
   */
  connect(journal?: Journal, limitMs?: number): Promise<readonly KeyTemplate[] | null>;
  go(triggersFor: (worker: number) => ArmedTrigger[]): Promise<void>;
  onTrigger(listener: (line: TriggerLine) => boolean): void;
  /** Ends the workers in order: running jobs end first. Those not done after `limitMs` are killed; gives their names. */
  finish(limitMs: number): Promise<string[]>;
  /** Kills them all, stopped or not. */
  kill(): void;
  /** Rejects when a worker crashes again and again, or when a replacement refuses its work. */
  readonly broken: Promise<never>;
}

export interface RosterOptions {
  assignments: readonly WorkerAssignment[];
  supervisor: Supervisor;
  /** The assignment of a worker's next incarnation. */
  reassign(assignment: WorkerAssignment): WorkerAssignment;
  /** Absent: every worker is a new process. */
  startProcess?: StartWorkerProcess | undefined;
}

export type StartWorkerProcess = (options: WorkerProcessOptions) => WorkerProcess;

export function createRoster({
  assignments,
  supervisor,
  reassign,
  startProcess = startWorkerProcess,
}: RosterOptions): Roster {
  let playing: WorkerProcess[] = [];
  let journal: Journal | undefined;
  let triggerListener: (line: TriggerLine) => boolean = () => false;
  let ending = false;
  let crashes = 0;
  /** Processes that a fault has ended on purpose. */
  const doomed = new Set<WorkerProcess>();
  let breakWith: (error: Error) => void = () => {};
  const broken = new Promise<never>((_, reject) => {
    breakWith = reject;
  });
  broken.catch(() => {});

  function start(assignment: WorkerAssignment): WorkerProcess {
    const process = startProcess({
      assignment,
      supervisor,
      onTrigger(line) {
        // Nobody waits for it any more: a worker that stopped itself for it goes on.
        if (!triggerListener(line)) void process.resume().catch(() => {});
      },
      onBreach: (breach) => breakWith(breach),
    });
    void process.exited.then((exit) => ended(process, exit));
    return process;
  }

  const tell = ({ assignment, pid }: WorkerProcess, outcome: string, detail: Record<string, unknown> = {}) =>
    journal?.record({
      op: "worker",
      phase: "info",
      outcome,
      worker: assignment.worker,
      incarnation: assignment.incarnation,
      detail: { pid, ...detail },
    });

  function ended(process: WorkerProcess, exit: WorkerExit): void {
    const { code, signal, stderr } = exit;
    // What it could not write down is missing, also at the end of a round.
    const unrecorded = recordingFailure(exit);
    if (unrecorded) breakWith(unrecorded);
    const planned = ending || doomed.has(process);
    const detail = { code, signal, planned, ...(stderr && !planned ? { stderr } : {}) };
    tell(process, planned ? (doomed.has(process) ? "killed" : "exited") : "crashed", detail);
    if (planned || unrecorded) return;
    crashes += 1;
    if (crashes >= MOST_CRASHES) {
      breakWith(
        new WorkerRefusal(
          `the lock ${process.assignment.lock.path} crashes its workers: ${crashes} of them ended by themselves in one round, ` +
            `the last one with ${signal ?? `code ${code}`}; its last words: ${lastWords(stderr) || "none"}`,
        ),
      );
      return;
    }
    void replace(process).catch((error: Error) => {
      if (!ending) breakWith(error);
    });
  }

  async function replace(process: WorkerProcess): Promise<void> {
    const next = start(reassign(process.assignment));
    playing = playing.map((other) => (other === process ? next : other));
    tell(next, "started");
    await next.connect();
    await next.go([]);
    tell(next, "ready");
  }

  /** Ends the process that plays a worker, on purpose, and starts its next incarnation when it is gone. */
  async function endAndReplace(worker: number, end: (process: WorkerProcess) => void): Promise<bigint> {
    const process = player(worker);
    doomed.add(process);
    const atNs = nowNs();
    end(process);
    await process.exited;
    if (!ending) await replace(process);
    return atNs;
  }

  const player = (worker: number): WorkerProcess => {
    const process = playing.find(({ assignment }) => assignment.worker === worker);
    if (!process) throw new Error(`worker:${worker} is not playing`);
    return process;
  };

  return {
    broken,
    workers: assignments.map(({ worker }) => ({
      name: `worker:${worker}`,
      stop: () => player(worker).stop(),
      resume: () => player(worker).resume(),
      setClock: (change) => player(worker).setClock(change),
      setBurden: (threads) => player(worker).setBurden(threads),
      block: (durationMs) => player(worker).block(durationMs),
      kill: () => endAndReplace(worker, (process) => process.destroy()),
      terminate: (graceMs) => endAndReplace(worker, (process) => process.end(graceMs)),
    })),
    load() {
      if (playing.length === 0) playing = assignments.map(start);
      return Promise.all(playing.map(({ loaded }) => loaded)).then(() => {});
    },
    async connect(roundJournal, limitMs) {
      journal = roundJournal;
      for (const process of playing) tell(process, "started");
      const [keys = null] = await Promise.all(playing.map((process) => process.connect(limitMs)));
      for (const process of playing) tell(process, "ready");
      return keys;
    },
    async go(triggersFor) {
      await Promise.all(playing.map((process) => process.go(triggersFor(process.assignment.worker))));
    },
    onTrigger(listener) {
      triggerListener = listener;
    },
    async finish(limitMs) {
      ending = true;
      const killed: string[] = [];
      await Promise.all(
        playing.map(async (process) => {
          tell(process, "stopping");
          const timer = setTimeout(() => {
            killed.push(process.name);
            process.destroy();
          }, limitMs);
          await process.finish().catch(() => {});
          await process.exited;
          clearTimeout(timer);
        }),
      );
      return killed;
    },
    kill() {
      ending = true;
      for (const process of playing) process.destroy();
    },
  };
}
