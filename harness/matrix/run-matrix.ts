import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { RedisInstallation } from "../redis/installation.ts";
import { serializePlan } from "../results/serialize-plan.ts";
import { PLAN_FILE, writeAtomically } from "../results/store.ts";
import type { Supervisor } from "../supervisor/parent.ts";
import type { Cell, CellOutcome, MatrixWorkloads } from "./cell.ts";
import { isFenced, planOfCell } from "./cell-plan.ts";
import { createFieldPool } from "./field-pool.ts";
import { withoutTimed } from "./judge-cell.ts";
import { inOrder } from "./order.ts";
import { type CellRun, runCell } from "./run-cell.ts";
import { createGate, runSideBySide } from "./side-by-side.ts";
import { cellFolder, storedOutcome, storeOutcome } from "./stored-cells.ts";
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
 * Runs cells side by side, each stored as soon as it is over. Those that the machine was too busy for are run again,
 * with few beside them or none, at the end. What an abort kept from its end is not among the outcomes.
 */
export async function runMatrix(options: MatrixRunOptions): Promise<void> {
  const { cells, workloads, folder, temporaryFolder, redis, supervisor, capacity, startsAtOnce, signal } = options;
  const { outcomes } = options;
  for (const cell of cells) {
    const stored = storedOutcome(folder, cell);
    if (stored) outcomes.set(cell.id, stored);
  }
  const running = new Set<string>();
  const spoilt: Cell[] = [];
  const fields = createFieldPool({ redis, supervisor, temporaryFolder });
  const workers = createWorkerPool();
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
      mkdirSync(own, { recursive: true });
      writeAtomically(join(own, PLAN_FILE), serializePlan(plan));
      return await runCell(cell, {
        ...{ plan, fenced, folder: own, temporaryFolder, fields, workers, supervisor, enterStart, signal },
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

  const pass = (begun: readonly Cell[], room: number, then: (cell: Cell, ran: CellRun) => void) =>
    runSideBySide(inOrder(begun), {
      capacity: room,
      weightOf: ({ scenario }) => scenario.weight ?? 1,
      signal,
      async run(cell) {
        const ran = await play(cell);
        if (ran) then(cell, ran);
      },
    });

  try {
    await pass(
      cells.filter(({ id }) => !outcomes.has(id)),
      capacity,
      (cell, { outcome, late }) => {
        if (late === undefined) keep(cell, outcome);
        else spoilt.push(cell);
      },
    );
    await pass(spoilt, capacity * SECOND_TRY, (cell, { outcome, late }) =>
      keep(cell, late === undefined ? outcome : withoutTimed(outcome, late)),
    );
  } finally {
    workers.close();
    await fields.close();
  }
}

/** How much of the capacity is used for cells that the machine was too busy for at first. */
const SECOND_TRY = 1 / 4;
