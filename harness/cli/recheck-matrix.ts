import { UsageError } from "../errors.ts";
import { assembleMatrixResult } from "../matrix/assemble-matrix.ts";
import { recheckCells } from "../matrix/recheck-matrix.ts";
import type { MatrixResult } from "../results/matrix-schema.ts";
import { readResult } from "../results/store.ts";
import { findMatrixLocks } from "./matrix-locks.ts";
import {
  cellsOfPlan,
  expectationsOfPlan,
  findScenarios,
  matrixWorkloads,
  readMatrixPlan,
  replayOfCell,
} from "./matrix-request.ts";

/** Judges a stored matrix again and makes its result anew; what only the run knew is taken from the stored one. */
export async function recheckMatrix(folder: string): Promise<MatrixResult> {
  const stored = readResult(folder);
  if (stored.kind !== "matrix") throw new UsageError(`${folder} holds a run of kind ${stored.kind}, and no matrix.`);
  const plan = readMatrixPlan(folder);
  const scenarios = findScenarios(plan.scenarios);
  const locks = await findMatrixLocks(plan.locks, ".");
  const cells = cellsOfPlan(plan, { locks, scenarios });
  const expectations = expectationsOfPlan(plan);
  const outcomes = await recheckCells(folder, cells, await matrixWorkloads());
  const { config } = stored;
  const failOn = Array.isArray(config.failOn) ? config.failOn : [];
  const interrupted =
    stored.status === "interrupted" ? stored.statusReason.replace(/ \d+ cells are still .*$/, "") : undefined;
  return assembleMatrixResult({
    ...{ locks, scenarios, cells, outcomes },
    ...(expectations ? { expectations } : {}),
    meta: {
      ...stored,
      failOn,
      replayOf: replayOfCell(plan),
      ...(interrupted === undefined ? {} : { interrupted }),
    },
  });
}
