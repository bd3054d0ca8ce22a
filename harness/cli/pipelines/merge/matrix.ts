import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../../../errors.ts";
import { assembleMatrixResult } from "../../../matrix/assemble-matrix.ts";
import type { Cell, CellOutcome } from "../../../matrix/cell.ts";
import { CELLS_FOLDER, storedOutcome } from "../../../matrix/stored-cells.ts";
import type { MatrixResult } from "../../../results/matrix-schema.ts";
import { completeShards, refuseDifferent, type Shard, shardText } from "../../../results/shards.ts";
import { createRunFolder } from "../../../results/store.ts";
import type { CommandIo } from "../../io.ts";
import { findMatrixLocks } from "../../matrix-locks.ts";
import {
  cellsOfPlan,
  expectationsOfPlan,
  findScenarios,
  type MatrixPlan,
  readMatrixPlan,
  replayOfCell,
} from "../../matrix-request.ts";
import type { MergeInput } from "../../merge-input.ts";
import { runReporters } from "../../reporters.ts";
import { exitCodeOf } from "../exit-code.ts";
import type { MergeOptions } from "./merge-options.ts";

/**
 * Joins the shards of a matrix into one: the cells of all parts in one folder, and the table made from them, as if one
 * machine had run them. Gives the exit code.
 */
export async function mergeMatrix(
  inputs: readonly MergeInput<"matrix">[],
  options: MergeOptions,
  io: CommandIo,
): Promise<number> {
  const read = inputs.map(readPart);
  refuseDifferent(read, ({ plan: { shard: _, ...whole } }) => whole);
  refuseDifferent(read, ({ result: { tool } }) => ({ "the version of holdfast": tool.version, commit: tool.commit }));
  const parts = completeShards(read);
  const [first] = parts as [Part];
  const { shard: _, ...plan } = first.plan;
  const scenarios = findScenarios(plan.scenarios);
  const locks = await findMatrixLocks(plan.locks, io.cwd);
  const cells = cellsOfPlan(plan, { locks, scenarios });
  const outcomes = unite(parts, cells);
  const expectations = expectationsOfPlan(plan);

  const startedAt = new Date(Math.min(...parts.map(({ result }) => Date.parse(result.startedAt))));
  const folder = createRunFolder({ out: options.outFolder, kind: "matrix", startedAt });
  io.setRunFolder(folder.path);
  folder.writePlan(plan);
  for (const part of parts) {
    const from = join(part.folder, CELLS_FOLDER);
    if (existsSync(from)) cpSync(from, join(folder.path, CELLS_FOLDER), { recursive: true });
  }
  const result: MatrixResult = {
    ...assembleMatrixResult({
      ...{ locks, scenarios, cells, outcomes },
      ...(expectations ? { expectations } : {}),
      meta: {
        ...metaOf(parts, options),
        id: folder.id,
        startedAt: startedAt.toISOString(),
        replayOf: replayOfCell(plan),
      },
    }),
    shards: parts.map(({ shard, result: { id, startedAt: partAt, durationMs, environment } }) => ({
      ...{ shard: shardText(shard), id, startedAt: partAt, durationMs },
      ...{ cpu: environment.cpu, cores: environment.cores },
    })),
  };
  folder.writeResult(result);
  await runReporters(result, { reporters: options.reporters, folder: folder.path, json: options.json, io });
  return exitCodeOf(result.status);
}

interface Part {
  source: string;
  folder: string;
  result: MatrixResult;
  plan: MatrixPlan;
  shard: Shard;
}

function readPart({ source, folder, result }: MergeInput<"matrix">): Part {
  const plan = readMatrixPlan(folder);
  if (plan.shard !== undefined) return { source, folder, result, plan, shard: plan.shard };
  throw new UsageError(
    `${source} is a whole matrix, and no part of one: nothing is to be merged with it. Parts are run with --shard 1/n to n/n.`,
    { code: "BAD_SHARDS" },
  );
}

/** What every cell came to, wherever it ran: in one place only. */
function unite(parts: readonly Part[], cells: readonly Cell[]): Map<string, CellOutcome> {
  const outcomes = new Map<string, CellOutcome>();
  const ranIn = new Map<string, Part>();
  for (const cell of cells) {
    for (const part of parts) {
      const outcome = storedOutcome(part.folder, cell);
      if (!outcome) continue;
      const other = ranIn.get(cell.id);
      if (other) {
        throw new UsageError(
          `The cell ${cell.id} ran in two parts, ${other.source} and ${part.source}: which of the two counts is not known.`,
          { code: "BAD_SHARDS" },
        );
      }
      ranIn.set(cell.id, part);
      outcomes.set(cell.id, outcome);
    }
  }
  return outcomes;
}

function metaOf(parts: readonly Part[], { argv }: MergeOptions) {
  const [{ result }] = parts as [Part];
  const { shard: _, ...config } = result.config;
  const starts = parts.map((part) => Date.parse(part.result.startedAt));
  const ends = parts.map((part, index) => (starts[index] ?? 0) + part.result.durationMs);
  const warnings = parts
    .flatMap((part) => part.result.warnings)
    .filter((text) => !/^This is part \d+ of \d+/.test(text));
  return {
    durationMs: Math.max(...ends) - Math.min(...starts),
    seed: result.seed,
    argv: [...argv],
    config,
    replay: result.replay.replace(/ --shard \S+/, ""),
    tool: result.tool,
    environment: result.environment,
    warnings: [...new Set(warnings)],
    failOn: Array.isArray(config.failOn) ? config.failOn : [],
  };
}
