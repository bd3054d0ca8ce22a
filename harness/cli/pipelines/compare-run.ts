import { calibrationOf } from "../../../reports/compare/calibrate.ts";
import { type CompareMeta, compareResults } from "../../../reports/compare/compare.ts";
import { confirmComparison, needsConfirmation } from "../../../reports/compare/confirm.ts";
import type { CompareOptions } from "../../../reports/compare/options.ts";
import { HarnessError, messageOf } from "../../errors.ts";
import type { CompareResult } from "../../results/compare-schema.ts";
import { createRunFolder } from "../../results/store.ts";
import { type RunResult, uniteRounds } from "../../results/unite-rounds.ts";
import { startSupervisor } from "../../supervisor/parent.ts";
import type { TurnsRequest } from "../compare-request.ts";
import { environmentFacts } from "../environment.ts";
import type { CommandIo } from "../io.ts";
import { runReporters, tellBegin } from "../reporters.ts";
import { type PairPlan, type PlayedPair, playAll, playPairs } from "../turns/play-pairs.ts";
import { refuseUnplannable } from "../turns/refuse-unplannable.ts";
import type { Side } from "../turns/side.ts";
import { toolFacts } from "../version.ts";
import { exitCodeOf } from "./exit-code.ts";

/**
 * Runs base and head in turns, compares them pair by pair, and confirms a regression by a second batch before it fails.
 * Gives the exit code.
 */
export async function compareRun(request: TurnsRequest, io: CommandIo): Promise<number> {
  const startedAt = new Date();
  const startedMs = performance.now();
  const { seed, pairs } = request;
  const runId = `compare-${process.pid}-${startedAt.getTime().toString(36)}`;
  const supervisor = await startSupervisor({ runId });
  try {
    const around = { supervisor, cwd: io.cwd, environment: io.environment, signal: io.signal };
    await refuseUnplannable(request, around);
    const folder = createRunFolder({ out: request.outFolder, kind: "compare", startedAt });
    io.setRunFolder(folder.path);
    folder.writePlan(planOf(request));
    const { argv, reporters, json } = request;
    tellBegin({ kind: "compare", id: folder.id, seed, argv }, { reporters, json, folder: folder.path, io });
    const judge = (played: readonly PlayedPair[]) =>
      judged(request, played, metaOf(request, { id: folder.id, startedAt, seed }));
    const cutShort = (played: readonly PlayedPair[], reason: string): CompareResult => ({
      ...(played.length > 0 ? judge(played) : noPair(request, metaOf(request, { id: folder.id, startedAt, seed }))),
      durationMs: Date.now() - startedAt.getTime(),
      ...interruption(reason, played.length, pairs),
    });
    const surroundings = { ...around, startedMs, folder: folder.path, progress: io.progress };
    const batch = (number: 1 | 2): PairPlan => ({
      ...{ base: request.base, head: request.head, pairs, roundMs: request.roundMs },
      firstSeed: seed + (number - 1) * pairs,
      firstNumber: 1 + (number - 1) * pairs,
      totalRounds: 2 * pairs * number,
    });
    // After each pair, so that whatever ends the run, what was complete is compared and can be read.
    const keep = (played: readonly PlayedPair[]) => folder.writeResult(cutShort(played, STILL_RUNNING));
    keep([]);
    const first: PlayedPair[] = [];
    let brokeOff: unknown;
    try {
      for await (const pair of playPairs(batch(1), surroundings)) {
        first.push(pair);
        keep(first);
      }
    } catch (error) {
      brokeOff = error;
    }
    const reason = io.signal.aborted ? io.signal.reason : brokeOff;
    if (brokeOff instanceof HarnessError && first.length === 0 && !io.signal.aborted) {
      folder.discard();
      throw brokeOff;
    }
    let result = reason === undefined ? judge(first) : cutShort(first, messageOf(reason));
    if (reason === undefined && needsConfirmation(result) && !request.calibrate) {
      io.progress.note("A regression: a second batch of pairs confirms it, or does not.");
      const second = await playAll(batch(2), surroundings);
      if (second.length === pairs) result = confirmComparison(result, judge(second), request.statistics);
      if (io.signal.aborted)
        result = { ...result, ...interruption(messageOf(io.signal.reason), pairs + second.length, 2 * pairs) };
    }
    result = { ...result, durationMs: Date.now() - startedAt.getTime() };
    folder.writeResult(result);
    io.progress.end();
    await runReporters(result, { reporters: request.reporters, folder: folder.path, json: request.json, io });
    if (brokeOff !== undefined && !io.signal.aborted) throw brokeOff;
    return exitCodeOf(result.status);
  } finally {
    await supervisor.close();
  }
}

const STILL_RUNNING = "it is running still, or was killed";

/** What --dry-run does before it prints: see whether both sides can be planned. */
export async function refusePlans(request: TurnsRequest, { cwd, environment, signal }: CommandIo): Promise<void> {
  const supervisor = await startSupervisor({ runId: `compare-${process.pid}-planned` });
  try {
    await refuseUnplannable(request, { supervisor, cwd, environment, signal });
  } finally {
    await supervisor.close();
  }
}

/** What --dry-run prints, and what is stored as the plan. */
export function planOf({ base, head, roundMs, calibrate, seed, pairs }: TurnsRequest) {
  const side = ({ label, kind, bin, args }: Side) => ({ label, kind, bin, args: [...args] });
  return {
    ...{ schema: "harness.plan/1", kind: "compare", calibrate, seed, pairs, warmupPairs: warmupOf(pairs), roundMs },
    ...{ base: side(base), head: side(head) },
  };
}

/** The first pair warms the machine up, where there is another one. */
const warmupOf = (pairs: number): number => (pairs > 1 ? 1 : 0);

function judged(request: TurnsRequest, played: readonly PlayedPair[], meta: CompareMeta): CompareResult {
  const [base, head] = [unite(played, "base"), unite(played, "head")];
  const options: CompareOptions = { ...request.statistics, paired: true, warmupRounds: warmupOf(played.length) };
  const result = compareResults(base, head, options, meta);
  if (!request.calibrate) return result;
  const calibration = calibrationOf(result, options.thresholds);
  const own = Object.fromEntries(calibration.map(({ metric, threshold }) => [metric, threshold]));
  // Held against the thresholds that it gives: a calibration has no regressions.
  return {
    ...compareResults(base, head, { ...options, thresholds: { ...options.thresholds, ...own } }, meta),
    calibration,
  };
}

function unite(played: readonly PlayedPair[], side: "base" | "head"): RunResult {
  return uniteRounds(played.map((pair) => pair[side]) as [RunResult, ...RunResult[]]);
}

function metaOf(
  request: TurnsRequest,
  { id, startedAt, seed }: { id: string; startedAt: Date; seed: number },
): CompareMeta {
  return {
    id,
    startedAt: startedAt.toISOString(),
    durationMs: 0,
    argv: [...request.argv],
    config: { ...request.config, seed: String(seed) },
    replay: request.replay({ seed }),
    tool: toolFacts(),
    environment: environmentFacts(),
    labels: { base: request.base.label, head: request.calibrate ? `${request.head.label} again` : request.head.label },
  };
}

function interruption(reason: string, played: number, pairs: number): Pick<CompareResult, "status" | "statusReason"> {
  const compared = played === 0 ? " No pair is complete, so nothing is compared." : " What is complete is compared.";
  return {
    status: "interrupted",
    statusReason: `Interrupted after ${played} of ${pairs} pairs (${reason.replace(/\.$/, "")}).${compared}`,
  };
}

/** A comparison of which no pair has come to its end: it says what was to be compared. */
function noPair({ base, head, statistics }: TurnsRequest, { labels, ...meta }: CompareMeta): CompareResult {
  const side = ({ kind, args }: Side, label: string): CompareResult["base"] => ({
    ...{ id: meta.id, label, startedAt: meta.startedAt, status: "interrupted" },
    statusReason: "No round of it has ended in a pair that is complete.",
    ...{ seed: Number(meta.config.seed), argv: [kind, ...args], replay: meta.replay },
    ...{ tool: meta.tool, environment: meta.environment, findings: [] },
  });
  return {
    ...{ schema: "harness.result/1", kind: "compare", ...meta, warnings: [] },
    ...interruption(STILL_RUNNING, 0, 0),
    seed: Number(meta.config.seed),
    ...{ of: base.kind, base: side(base, labels.base), head: side(head, labels.head) },
    ...{ comparable: true, differences: [], paired: statistics.paired, confirmed: null },
    rounds: { base: 0, head: 0, needed: 0 },
    ...{ metrics: [], correctness: [], spectra: [], findings: [], verdict: "inconclusive" },
  };
}
