import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { queueName } from "../../agents/messages.ts";
import { runChecks } from "../../checks/registry.ts";
import type { ArmRound } from "../../contracts/check.ts";
import { HarnessError, messageOf, UsageError } from "../../errors.ts";
import { faultNamed, faultRegistry } from "../../faults/registry.ts";
import { mergeJournals } from "../../history/merge.ts";
import { HISTORY_FILE, JOURNALS_FOLDER, journalsOf, readStoredHistory } from "../../history/stored.ts";
import { runLockExperiment } from "../../lock/orchestrator/run.ts";
import { prepareSurroundings, type Surroundings } from "../../lock/orchestrator/surroundings.ts";
import { WorkerRefusal } from "../../lock/orchestrator/worker-process.ts";
import { faultsText, planNotes } from "../../lock/plan/describe.ts";
import type { RemoteHosts } from "../../lock/remote/hosts.ts";
import { newToken } from "../../lock/remote/wire.ts";
import { findRedis } from "../../redis/find.ts";
import type { RedisInstallation } from "../../redis/installation.ts";
import { assembleLockResult, type LockRunMeta } from "../../results/assemble-lock.ts";
import type { LockResult } from "../../results/lock-schema.ts";
import { createRunFolder, type RunFolder } from "../../results/store.ts";
import { traceDelays, traceGaps } from "../../results/trace-gaps.ts";
import { StorageError } from "../../storage-error.ts";
import { type Supervisor, startSupervisor } from "../../supervisor/parent.ts";
import { environmentFacts } from "../environment.ts";
import type { CommandIo } from "../io.ts";
import type { LockRequest } from "../lock-request.ts";
import { runReporters, tellBegin } from "../reporters.ts";
import { sentModules } from "../sent-modules.ts";
import { toolFacts } from "../version.ts";
import { exitCodeOf } from "./exit-code.ts";
import { showLockProgress } from "./lock-progress.ts";

/** Carries a lock run out: servers and workers, history, checks, result, reports. Gives the exit code. */
export async function runLock(request: LockRequest, io: CommandIo): Promise<number> {
  const { result, folder, brokeOff } = await recordLockRun(request, io);
  await runReporters(result, { reporters: request.reporters, folder: folder.path, json: request.json, io });
  if (brokeOff !== undefined) throw brokeOff;
  return exitCodeOf(result.status);
}

export interface RecordedLockRun {
  result: LockResult;
  folder: RunFolder;
  /** What ended the run before its time, other than a signal. What was recorded until then is in the result. */
  brokeOff?: unknown;
}

/**
 * The run without its reports. The result is written in three phases: before anything starts, when the history is
 * complete, and judged; so what was recorded survives whatever ends the run.
 */
export async function recordLockRun(request: LockRequest, io: CommandIo): Promise<RecordedLockRun> {
  const startedAt = new Date();
  const supervisor = await startSupervisor({ runId: `lock-${process.pid}-${startedAt.getTime().toString(36)}` });
  try {
    const redis = await findRedis({
      redisBin: request.redisBin,
      runtime: request.runtime,
      supervisor,
      onProgress: (line) => io.progress.note(line),
    });
    const surroundings = await prepareSurroundings(request.plan, redis, {
      supervisor,
      onProgress: (line) => io.progress.note(line),
    });
    const folder = createRunFolder({ out: request.outFolder, kind: "lock", startedAt });
    io.setRunFolder(folder.path);
    const meta = metaOf(request, { folder, startedAt, redis });
    folder.writeResult(unfinished(request, { ...meta, interrupted: "It is running still, or was killed." }));
    const { plan, argv, reporters, json } = request;
    tellBegin({ kind: "lock", id: folder.id, seed: plan.seed, argv }, { reporters, json, folder: folder.path, io });

    const { brokeOff, servers } = await carryOut(request, { folder, startedAt, redis, surroundings, supervisor, io });
    if (
      brokeOff instanceof HarnessError &&
      !io.signal.aborted &&
      !(servers && (await hasBegun(folder.path, brokeOff)))
    ) {
      // The message says it all: there is nothing to report, and nothing to keep.
      folder.discard();
      throw brokeOff;
    }
    const reason = io.signal.aborted ? io.signal.reason : brokeOff;
    const ended: LockRunMeta = {
      ...meta,
      durationMs: Date.now() - startedAt.getTime(),
      ...(reason === undefined ? {} : { interrupted: sentence(messageOf(reason)) }),
    };
    store(folder, unfinished(request, { interrupted: "It was recorded, and not judged yet.", ...ended }));
    const result = await judge(request, folder, ended);
    const unstored = store(folder, result);
    if (unstored) return { result, folder, brokeOff: unstored };
    return { result, folder, ...(brokeOff === undefined || io.signal.aborted ? {} : { brokeOff }) };
  } finally {
    await supervisor.close();
  }
}

function metaOf(
  { plan, argv, config, replay }: LockRequest,
  { folder, startedAt, redis }: { folder: RunFolder; startedAt: Date; redis: RedisInstallation },
): LockRunMeta {
  return {
    id: folder.id,
    startedAt: startedAt.toISOString(),
    durationMs: 0,
    argv: [...argv],
    config: { ...config },
    replay,
    tool: toolFacts(),
    environment: environmentFacts(redis),
    plan: { ...folder.writePlan(plan), faultsText: faultsText(plan, faultRegistry) },
    warnings: planNotes(plan),
    lookOf: (name) => faultNamed(name)?.look ?? { colour: "network", pattern: "solid" },
  };
}

const unfinished = ({ plan }: LockRequest, meta: LockRunMeta): LockResult =>
  assembleLockResult({ plan, armRounds: [], findings: [], meta });

interface CarryOutOptions {
  folder: RunFolder;
  startedAt: Date;
  redis: RedisInstallation;
  surroundings: Surroundings;
  supervisor: Supervisor;
  io: CommandIo;
}

/** Runs the plan and merges the journals into the history. Gives what broke the run off, if something did. */
async function carryOut(
  request: LockRequest,
  { folder, startedAt, redis, surroundings, supervisor, io }: CarryOutOptions,
): Promise<{ brokeOff?: unknown; servers: boolean }> {
  const { plan, redisUrls, toxiproxyUrl } = request;
  const hosts = await remoteHosts(request, io);
  const startedAtMonotonicNs = String(process.hrtime.bigint());
  const temporaryFolder = mkdtempSync(join(tmpdir(), "holdfast-"));
  supervisor.ownFolder(temporaryFolder);
  const shown = showLockProgress(plan, io.progress);
  let brokeOff: unknown;
  try {
    await runLockExperiment({
      ...{ plan, temporaryFolder, redis, surroundings, supervisor, hosts, startedAtMonotonicNs },
      runId: folder.id,
      folder: folder.path,
      signal: io.signal,
      ...{ redisUrls, toxiproxyUrl },
      onProgress: shown.at,
    });
  } catch (error) {
    brokeOff =
      error instanceof WorkerRefusal
        ? new UsageError(sentence(error.message), { code: "WORKER_REFUSED", cause: error })
        : error;
  } finally {
    shown.end();
    await hosts?.close();
  }
  const servers = existsSync(join(folder.path, JOURNALS_FOLDER));
  try {
    await mergeJournals(journalsOf(folder.path), {
      to: join(folder.path, HISTORY_FILE),
      header: {
        schema: "harness.history/1",
        runId: folder.id,
        startedAt: startedAt.toISOString(),
        startedAtMonotonicNs,
      },
    });
    // A run that broke off before its servers were there has none.
    rmSync(join(folder.path, JOURNALS_FOLDER), { recursive: true, force: true });
  } catch (error) {
    // The journals stay where they are, and can be read as they are.
    if (!(error instanceof StorageError)) throw error;
    return { brokeOff: brokeOff ?? error, servers };
  }
  return { brokeOff, servers };
}

/** With servers it has, unless a worker refused before anything was recorded: that is bad usage, and no run. */
async function hasBegun(folder: string, brokeOff: HarnessError): Promise<boolean> {
  return !(brokeOff instanceof UsageError) || (await readStoredHistory(folder)).events > 0;
}

/** Writes down how far the run came. Gives what kept it from being stored, if something did. */
function store(folder: RunFolder, result: LockResult): StorageError | undefined {
  try {
    folder.writeResult(result);
    return undefined;
  } catch (error) {
    if (error instanceof StorageError) return error;
    throw error;
  }
}

/** Waits for hosts to join, where some of the workers are to be theirs: the last ones. */
async function remoteHosts({ plan, remote }: LockRequest, io: CommandIo): Promise<RemoteHosts | undefined> {
  if (!remote) return undefined;
  const { awaitHosts } = await import("../../lock/remote/hosts.ts");
  const first = plan.workers - remote.workers + 1;
  return await awaitHosts({
    ...{ host: remote.host, port: remote.port, signal: io.signal },
    token: remote.token ?? newToken(),
    tellsToken: remote.token === undefined,
    build: queueName("build", toolFacts()),
    workers: Array.from({ length: remote.workers }, (_, index) => first + index),
    modulesOf: (assignment) => sentModules(assignment, remote.cwd),
    tell: (line) => io.stderr(`${line}\n`),
  });
}

/** From the stored history to the result. */
async function judge({ plan }: LockRequest, folder: RunFolder, meta: LockRunMeta): Promise<LockResult> {
  const { armRounds, torn } = await readStoredHistory(folder.path);
  const { findings, judged, notJudged } = runChecks({ plan, armRounds });
  const warnings = torn.map(
    ({ file, line }) => `The last line of ${file} (line ${line}) is torn: its process was killed.`,
  );
  return assembleLockResult({
    ...{ plan, armRounds, findings },
    meta: {
      ...meta,
      unknown: silences(armRounds),
      checks: { judged, notJudged },
      warnings: [...(meta.warnings ?? []), ...warnings, ...traceGaps(armRounds, plan), ...traceDelays(armRounds, plan)],
    },
  });
}

/** Where the system did not answer after everything had been healed. */
function silences(armRounds: readonly ArmRound[]): string[] {
  return armRounds.flatMap(({ arm, round, events }) =>
    events
      .filter(({ op, outcome }) => op === "round" && outcome === "no-answer")
      .map(({ detail }) => `After the faults of round ${round} of ${arm} were healed, ${detail?.error}.`),
  );
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
