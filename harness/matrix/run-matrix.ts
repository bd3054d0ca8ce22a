import { join } from "node:path";
import { sleepUnlessAborted } from "../lock/orchestrator/abort.ts";
import type { RedisInstallation } from "../redis/installation.ts";
import { serializePlan } from "../results/serialize-plan.ts";
import { PLAN_FILE, writeAtomically } from "../results/store.ts";
import { makeFolders, writing } from "../storage-error.ts";
import type { Supervisor } from "../supervisor/parent.ts";
import type { Cell, CellOutcome, MatrixWorkloads } from "./cell.ts";
import { isFenced, planOfCell } from "./cell-plan.ts";
import { createFieldPool } from "./field-pool.ts";
import { withoutTimed } from "./judge-cell.ts";
import { createJudge } from "./judging/judge-process.ts";
import { inOrder } from "./order.ts";
import { watchPressure } from "./pressure.ts";
import { createRoom } from "./room.ts";
import { type CellRun, runCell } from "./run-cell.ts";
import { createGate, runSideBySide, type Then } from "./side-by-side.ts";
import { cellFolder, storedOutcome, storeOutcome } from "./stored-cells.ts";
import { weightOf } from "./weight.ts";
import { createWorkerPool } from "./worker-pool.ts";

export interface MatrixRunOptions {
  cells: readonly Cell[];
  workloads: MatrixWorkloads;
  /** The run folder. Cells that are stored in it already are not run again. */
  folder: string;
  temporaryFolder: string;
  redis: RedisInstallation;
  supervisor: Supervisor;
  /** How much may run side by side: a cell that mostly waits takes 1. */
  capacity: number;
  /** How many cells may start their workers at a time. */
  startsAtOnce: number;
  signal: AbortSignal;
  onCell(progress: MatrixProgress): void;
  /** By cell id: filled as cells end, so that an error on the way loses none. */
  outcomes: Map<string, CellOutcome>;
}

export interface MatrixProgress {
  done: number;
  of: number;
  /** Ids of the cells that run now. */
  running: readonly string[];
  /** The one that has just ended. */
  ended?: { cell: Cell; outcome: CellOutcome };
}

/**
 * Runs cells side by side, each stored as soon as it is over. Those that the machine was too busy for are run again as
 * soon as there is room for them, with fewer beside them each time, and the last time at the end. What an abort kept from
 * its end is not among the outcomes.
 */
export async function runMatrix(options: MatrixRunOptions): Promise<void> {
  const { cells, workloads, folder, temporaryFolder, redis, supervisor, capacity, startsAtOnce, signal } = options;
  const { outcomes } = options;
  for (const cell of cells) {
    const stored = storedOutcome(folder, cell);
    if (stored) outcomes.set(cell.id, stored);
  }
  const running = new Set<string>();
  const fields = createFieldPool({ redis, supervisor, temporaryFolder });
  const workers = createWorkerPool();
  const judge = createJudge(supervisor);
  const enterStart = createGate(startsAtOnce);
  const tell = (ended?: MatrixProgress["ended"]) =>
    options.onCell({ done: outcomes.size, of: cells.length, running: [...running], ...(ended ? { ended } : {}) });

  async function play(cell: Cell): Promise<CellRun | undefined> {
    running.add(cell.id);
    tell();
    try {
      const own = cellFolder(folder, cell);
      const plan = planOfCell(cell, workloads);
      const fenced = isFenced(cell, plan, workloads);
      writing(own, () => makeFolders(own));
      writeAtomically(join(own, PLAN_FILE), serializePlan(plan));
      return await runCell(cell, {
        ...{ plan, fenced, folder: own, temporaryFolder, fields, workers, judge, supervisor, enterStart, signal },
        scenarios: workloads.scenarios,
      });
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      running.delete(cell.id);
    }
  }

  function keep(cell: Cell, outcome: CellOutcome): void {
    storeOutcome(folder, cell, outcome);
    outcomes.set(cell.id, outcome);
    tell({ cell, outcome });
  }

  const room = createRoom(capacity);
  const pressure = watchPressure();
  const tries = new Map<Cell, number>();

  async function take(cell: Cell): Promise<Then> {
    const startedMs = performance.now();
    const ran = await play(cell);
    if (!ran) return undefined;
    const { outcome, late } = ran;
    if (late === undefined) {
      room.wasInTime(startedMs);
      keep(cell, outcome);
      return undefined;
    }
    room.wasLate(startedMs);
    const tried = (tries.get(cell) ?? 0) + 1;
    tries.set(cell, tried);
    // What makes a machine too busy may take a while: the last try is when little else is left.
    if (tried < MOST_TRIES) return tried === MOST_TRIES - 1 ? "at the end" : "again";
    keep(cell, withoutTimed(outcome, late));
    return undefined;
  }

  try {
    await runSideBySide(inOrder(cells.filter(({ id }) => !outcomes.has(id))), {
      capacity: room.capacity,
      weightOf: (cell) => weightOf(cell, tries.get(cell) ?? 0, room.capacity()),
      holdOff: () => (pressure.isHigh() ? sleepUnlessAborted(LOOK_AGAIN_MS, signal) : undefined),
      signal,
      run: take,
    });
  } finally {
    pressure.close();
    workers.close();
    judge.close();
    await fields.close();
  }
}

/** How long nothing begins on a machine that does not keep up, before that is asked again, ms. */
const LOOK_AGAIN_MS = 100;
/** A cell that the machine was too busy for as often as that says nothing of times. */
const MOST_TRIES = 3;
