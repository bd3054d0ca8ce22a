import { dirname, join, relative } from "node:path";
import type { ConvergeOptions, ConvergeProgress } from "../../converge/converge-options.ts";
import { findingsOf } from "../../converge/findings.ts";
import { ORACLES } from "../../converge/oracles/registry.ts";
import { type ConvergeRun, runConverge } from "../../converge/run-converge.ts";
import type { ConvergeCrdt, ConvergeResult } from "../../results/converge-schema.ts";
import { createRunFolder, type RunFolder } from "../../results/store.ts";
import { makeFolders, StorageError, writing } from "../../storage-error.ts";
import type { ConvergeRequest } from "../converge-request.ts";
import { environmentFacts } from "../environment.ts";
import type { CommandIo } from "../io.ts";
import type { ProgressState } from "../progress.ts";
import { shellQuote } from "../replay-command.ts";
import { runReporters, tellBegin } from "../reporters.ts";
import { toolFacts } from "../version.ts";
import { toldTests, writeTests } from "./emit-tests.ts";
import { exitCodeOf } from "./exit-code.ts";

/** Carries a convergence run out: schedules, counterexamples, result, reports. Gives the exit code. */
export async function runConvergeCommand(request: ConvergeRequest, io: CommandIo): Promise<number> {
  // A signal is to be heard while a step does not return.
  const recorded = await recordConvergeRun(request, io, { unguarded: "worker" });
  return await reportConverge(request, recorded, io);
}

export interface RecordedConvergeRun {
  result: ConvergeResult;
  folder: RunFolder;
  /** What kept it from being stored. */
  unstored?: StorageError;
}

/** The run without its reports: what was found is stored. */
export async function recordConvergeRun(
  request: ConvergeRequest,
  io: CommandIo,
  place: Pick<ConvergeOptions, "unguarded"> = {},
): Promise<RecordedConvergeRun> {
  const { schema: _, kind: _kind, ...options } = request.plan;
  const startedAt = new Date();
  const startedMs = performance.now();
  const folder = lazyFolder(request, startedAt, io);
  let begun = false;
  const run = await runConverge({
    ...options,
    ...place,
    signal: io.signal,
    onProgress(progress) {
      if (!begun) tellConverge(request, folder(), io);
      begun = true;
      io.progress.update(progressOf(progress, performance.now() - startedMs));
    },
  });
  io.progress.end();
  return storeConverge(request, run, { folder: folder(), startedAt, io });
}

export function tellConverge(
  { plan, argv, reporters, json }: ConvergeRequest,
  { id, path }: RunFolder,
  io: CommandIo,
): void {
  tellBegin({ kind: "converge", id, seed: plan.seed, argv }, { reporters, json, folder: path, io });
}

/**
 * What cannot run at all (no such module, no adapter) is refused by the run itself before its first schedule; so the
 * folder is made when there is something to put into it.
 */
export function lazyFolder({ outFolder, plan }: ConvergeRequest, startedAt: Date, io: CommandIo): () => RunFolder {
  let folder: RunFolder | undefined;
  return () => {
    if (folder === undefined) {
      folder = createRunFolder({ out: outFolder, kind: "converge", startedAt });
      io.setRunFolder(folder.path);
      folder.writePlan(plan);
    }
    return folder;
  };
}

/** Stores what was found and reports it. */
export async function finishConverge(
  request: ConvergeRequest,
  run: ConvergeRun,
  { folder, startedAt, io, shards }: { folder: RunFolder; startedAt: Date; io: CommandIo; shards?: ShardFacts },
): Promise<number> {
  const place = { folder, startedAt, io, ...(shards === undefined ? {} : { shards }) };
  return await reportConverge(request, storeConverge(request, run, place), io);
}

function storeConverge(
  request: ConvergeRequest,
  run: ConvergeRun,
  { folder, startedAt, io, shards }: { folder: RunFolder; startedAt: Date; io: CommandIo; shards?: ShardFacts },
): RecordedConvergeRun {
  const placed = { ...run, crdts: run.crdts.map((crdt) => withPlaces(crdt, folder, io)) };
  const result = { ...resultOf(request, placed, { id: folder.id, startedAt }), ...shards };
  try {
    folder.writeResult(result);
    writeCounterexamples(folder, run);
  } catch (error) {
    if (error instanceof StorageError) return { result, folder, unstored: error };
    throw error;
  }
  const { emitTest } = request;
  if (emitTest !== undefined) io.stderr(toldTests(emitTest, writeTests(emitTest, run, request.plan.crdts)));
  return { result, folder };
}

/** A failure that is seen again by its file: the command names it from where the run was started. */
function withPlaces(crdt: ConvergeCrdt, folder: RunFolder, { cwd }: CommandIo): ConvergeCrdt {
  const failures = crdt.failures.map((failure) => {
    if (failure.file === undefined || failure.replay !== `npx harness replay ${failure.file}`) return failure;
    const way = relative(cwd, join(folder.path, failure.file));
    return { ...failure, replay: `npx harness replay ${shellQuote(way)}` };
  });
  return { ...crdt, failures };
}

async function reportConverge(
  { reporters, json }: ConvergeRequest,
  { result, folder, unstored }: RecordedConvergeRun,
  io: CommandIo,
): Promise<number> {
  await runReporters(result, { reporters, folder: folder.path, json, io });
  if (unstored) throw unstored;
  return exitCodeOf(result.status);
}

/** What a result that was merged from shards knows from them. */
export type ShardFacts = Pick<ConvergeResult, "shards"> &
  Partial<Pick<ConvergeResult, "durationMs" | "environment" | "tool">>;

function writeCounterexamples(folder: RunFolder, { files }: ConvergeRun): void {
  for (const [name, text] of Object.entries(files)) {
    writing(name, () => makeFolders(dirname(join(folder.path, name))));
    folder.writeFile(name, text);
  }
}

function resultOf(
  { plan, argv, config, replay }: ConvergeRequest,
  run: ConvergeRun,
  { id, startedAt }: { id: string; startedAt: Date },
): ConvergeResult {
  const { status, statusReason, mode, threads, crdts, warnings } = run;
  return {
    schema: "harness.result/1",
    kind: "converge",
    id,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    ...{ status, statusReason, seed: plan.seed },
    argv: [...argv],
    config: { ...config },
    replay,
    tool: toolFacts(),
    environment: environmentFacts(),
    findings: findingsOf(run),
    ...{ mode, threads },
    oracles: ORACLES.map(({ name }) => name),
    crdts,
    warnings,
  };
}

function progressOf(progress: ConvergeProgress, elapsedMs: number): ProgressState {
  const { phase, crdt, number, of, timeMs, schedules, schedulesInAll, schedulesPerSecond, failed } = progress;
  const place = of > 1 ? `${number + 1} of ${of}, ` : "";
  return {
    phase: `${place}${crdt}${phase === "fuzz" ? "" : `: ${phase}`}`,
    ...(phase === "exhaustive" && schedulesInAll !== undefined ? { done: shareText(schedules, schedulesInAll) } : {}),
    elapsedMs,
    ...(timeMs === undefined || phase === "zoo" ? {} : { totalMs: Math.max(elapsedMs, timeMs * of) }),
    rate: { perSecond: schedulesPerSecond, unit: "schedules" },
    // In the zoo a failure is what is asked for.
    ...(phase === "zoo" ? {} : { violations: failed }),
  };
}

/** How much of an estimated number has run: `12 % of about 1,234,000 schedules`. */
function shareText(schedules: number, about: number): string {
  const percent = about > 0 ? Math.floor((schedules / about) * 100) : 0;
  const count = about < 1e9 ? Number(about.toPrecision(2)).toLocaleString("en") : about.toExponential(0);
  return `${Math.min(99, percent)} % of about ${count} schedules`;
}
