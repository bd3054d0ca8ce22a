import { existsSync } from "node:fs";
import { join } from "node:path";
import { HISTORY_FILE, readStoredHistory } from "../history/stored.ts";
import { readPlan } from "../results/recheck.ts";
import type { Cell, CellOutcome, MatrixWorkloads } from "./cell.ts";
import { isFenced } from "./cell-plan.ts";
import { judgeCell, latest, withoutTimed } from "./judge-cell.ts";
import { cellFolder, storedOutcome } from "./stored-cells.ts";

/**
 * Judges the stored histories of a matrix again, without a new run. Cells that had not ended are left out, and one whose
 * history is not there keeps what was found.
 */
export async function recheckCells(
  folder: string,
  cells: readonly Cell[],
  workloads: MatrixWorkloads,
): Promise<Map<string, CellOutcome>> {
  const outcomes = new Map<string, CellOutcome>();
  for (const cell of cells) {
    const stored = storedOutcome(folder, cell);
    if (!stored) continue;
    outcomes.set(cell.id, await recheckCell(cellFolder(folder, cell), cell, stored, workloads));
  }
  return outcomes;
}

async function recheckCell(
  folder: string,
  cell: Cell,
  stored: CellOutcome,
  workloads: MatrixWorkloads,
): Promise<CellOutcome> {
  if (!existsSync(join(folder, HISTORY_FILE))) return stored;
  const plan = readPlan(folder);
  const { armRounds } = await readStoredHistory(folder);
  // It broke off before its end: its reason is not in the history.
  if (!armRounds.some(({ events }) => events.some(({ outcome }) => outcome === "healed"))) return stored;
  const { durationMs } = stored;
  const fenced = isFenced(cell, plan, workloads);
  const outcome = judgeCell({ plan, scenario: cell.scenario, armRounds, fenced, durationMs });
  const late = latest(armRounds, plan);
  return late === undefined ? outcome : withoutTimed(outcome, late);
}
