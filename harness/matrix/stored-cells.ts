import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { findingSchema } from "../results/common-schema.ts";
import { cellFaultSchema, cellVerdictSchema } from "../results/matrix-schema.ts";
import { writeAtomically } from "../results/store.ts";
import type { Cell, CellOutcome } from "./cell.ts";

/** Below a matrix's folder: one folder a cell, with its plan, its history and what came of it. */
export const CELLS_FOLDER = "cells";
const OUTCOME_FILE = "cell.json";

const outcomeSchema = z.object({
  schema: z.literal("harness.cell/1"),
  id: z.string(),
  seed: z.int(),
  verdict: cellVerdictSchema,
  reason: z.string(),
  checks: z.array(z.string()),
  findings: z.array(findingSchema),
  faults: z.array(cellFaultSchema).optional(),
  durationMs: z.number(),
});

export const cellFolder = (folder: string, { id }: Pick<Cell, "id">): string => join(folder, CELLS_FOLDER, id);

/** Stores a finished cell, at once or not at all. */
export function storeOutcome(folder: string, cell: Cell, outcome: CellOutcome): void {
  const stored = { schema: "harness.cell/1", id: cell.id, seed: cell.seed, ...outcome };
  writeAtomically(join(cellFolder(folder, cell), OUTCOME_FILE), `${JSON.stringify(stored, null, 1)}\n`);
}

/** What a cell came to when it ran before; undefined if it did not, or under another seed. */
export function storedOutcome(folder: string, cell: Cell): CellOutcome | undefined {
  const file = join(cellFolder(folder, cell), OUTCOME_FILE);
  if (!existsSync(file)) return undefined;
  const parsed = outcomeSchema.safeParse(readJson(file));
  if (!parsed.success || parsed.data.seed !== cell.seed) return undefined;
  const { verdict, reason, checks, findings, faults, durationMs } = parsed.data;
  return {
    ...{ verdict, reason, checks, findings: findings as CellOutcome["findings"], durationMs },
    ...(faults === undefined ? {} : { faults }),
  };
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
