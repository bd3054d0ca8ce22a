import { mkdtempSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { messageOf } from "../../errors.ts";
import { assembleMatrixResult, type MatrixMeta } from "../../matrix/assemble-matrix.ts";
import type { CellOutcome } from "../../matrix/cell.ts";
import { type MatrixProgress, runMatrix } from "../../matrix/run-matrix.ts";
import { findRedis } from "../../redis/find.ts";
import type { RedisInstallation } from "../../redis/installation.ts";
import { createRunFolder, openRunFolder, type RunFolder, readResult } from "../../results/store.ts";
import { type Supervisor, startSupervisor } from "../../supervisor/parent.ts";
import { environmentFacts } from "../environment.ts";
import type { CommandIo } from "../io.ts";
import type { MatrixRequest } from "../matrix-request.ts";
import type { Progress } from "../progress.ts";
import { runReporters, tellBegin } from "../reporters.ts";
import { toolFacts } from "../version.ts";
import { exitCodeOf } from "./exit-code.ts";

/** Runs the cells of a matrix, stores what each came to, and reports. Gives the exit code. */
export async function runMatrixCommand(request: MatrixRequest, io: CommandIo): Promise<number> {
  const startedAt = new Date();
  const supervisor = await startSupervisor({ runId: `matrix-${process.pid}-${startedAt.getTime().toString(36)}` });
  try {
    const redis = await findRedis({
      redisBin: request.redisBin,
      supervisor,
      onProgress: (line) => io.progress.note(line),
    });
    const folder = folderOf(request, startedAt);
    io.setRunFolder(folder.path);
    const ranBefore = request.resumed === undefined ? 0 : readResult(folder.path).durationMs;
    const metaOf = (interrupted?: string): MatrixMeta => ({
      ...metaFor(request, { folder, startedAt, redis, ranBefore }),
      ...(interrupted === undefined ? {} : { interrupted }),
    });
    const assemble = (outcomes: ReadonlyMap<string, CellOutcome>, meta: MatrixMeta) =>
      assembleMatrixResult({ ...request, outcomes, meta });
    folder.writeResult(assemble(new Map(), metaOf("It is running still, or was killed.")));
    const { plan, argv, reporters, json } = request;
    tellBegin({ kind: "matrix", id: folder.id, seed: plan.seed, argv }, { reporters, json, folder: folder.path, io });

    const { outcomes, brokeOff } = await carryOut(request, { folder, redis, supervisor, io });
    const reason = io.signal.aborted ? io.signal.reason : brokeOff;
    const result = assemble(outcomes, metaOf(reason === undefined ? undefined : sentence(messageOf(reason))));
    folder.writeResult(result);
    await runReporters(result, { reporters: request.reporters, folder: folder.path, json: request.json, io });
    if (brokeOff !== undefined && !io.signal.aborted) throw brokeOff;
    return exitCodeOf(result.status);
  } finally {
    await supervisor.close();
  }
}

function folderOf({ resumed, outFolder, plan }: MatrixRequest, startedAt: Date): RunFolder {
  if (resumed !== undefined) return openRunFolder(resumed, basename(resumed));
  const folder = createRunFolder({ out: outFolder, kind: "matrix", startedAt });
  folder.writePlan(plan);
  return folder;
}

function metaFor(
  request: MatrixRequest,
  {
    folder,
    startedAt,
    redis,
    ranBefore,
  }: { folder: RunFolder; startedAt: Date; redis: RedisInstallation; ranBefore: number },
): MatrixMeta {
  const { plan, argv, config, replay, replayOf, failOn, locks } = request;
  const missing = locks.filter((lock) => lock.missing !== undefined);
  return {
    id: folder.id,
    startedAt: startedAt.toISOString(),
    durationMs: ranBefore + Date.now() - startedAt.getTime(),
    seed: plan.seed,
    argv: [...argv],
    config: { ...config },
    ...{ replay, replayOf, failOn },
    tool: toolFacts(),
    environment: environmentFacts(redis),
    warnings: [
      ...missing.map(({ name, missing: why }) => `${name} did not run: ${why}.`),
      ...(plan.shard ? [`This is part ${plan.shard.index + 1} of ${plan.shard.count} of the matrix.`] : []),
    ],
  };
}

interface Surroundings {
  folder: RunFolder;
  redis: RedisInstallation;
  supervisor: Supervisor;
  io: CommandIo;
}

/** Gives what the cells came to, also when something broke it off. */
async function carryOut(
  { cells, workloads, sideBySide }: MatrixRequest,
  { folder, redis, supervisor, io }: Surroundings,
): Promise<{ outcomes: ReadonlyMap<string, CellOutcome>; brokeOff?: unknown }> {
  const temporaryFolder = mkdtempSync(join(tmpdir(), "holdfast-"));
  supervisor.ownFolder(temporaryFolder);
  const outcomes = new Map<string, CellOutcome>();
  try {
    await runMatrix({
      ...{ cells, workloads, temporaryFolder, redis, supervisor, outcomes },
      folder: folder.path,
      capacity: sideBySide,
      startsAtOnce: availableParallelism(),
      signal: io.signal,
      onCell: showProgress(io.progress),
    });
    return { outcomes };
  } catch (error) {
    return { outcomes, brokeOff: error };
  } finally {
    io.progress.end();
  }
}

/** One line: how many cells are over, what broke last, what runs. */
function showProgress(progress: Progress): (at: MatrixProgress) => void {
  const startedMs = performance.now();
  let broke = 0;
  let begunWith: number | undefined;
  return ({ done, of, running, ended }) => {
    begunWith ??= done;
    if (ended && (ended.outcome.verdict === "broke" || ended.outcome.verdict === "hung")) broke += 1;
    const elapsedMs = performance.now() - startedMs;
    const perCellMs = done > begunWith ? elapsedMs / (done - begunWith) : undefined;
    progress.update({
      phase: `cell ${done} of ${of}${running[0] === undefined ? "" : `, ${running.at(-1)?.replaceAll("~", " ")}`}`,
      elapsedMs,
      ...(perCellMs === undefined ? {} : { totalMs: elapsedMs + perCellMs * (of - done) }),
      violations: broke,
    });
  };
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
