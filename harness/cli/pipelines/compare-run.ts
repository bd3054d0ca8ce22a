import { randomInt } from "node:crypto";
import { calibrationOf } from "../../../reports/compare/calibrate.ts";
import { type CompareMeta, compareResults } from "../../../reports/compare/compare.ts";
import { confirmComparison, needsConfirmation } from "../../../reports/compare/confirm.ts";
import type { CompareOptions } from "../../../reports/compare/options.ts";
import { messageOf } from "../../errors.ts";
import type { CompareResult } from "../../results/compare-schema.ts";
import { createRunFolder } from "../../results/store.ts";
import { type RunResult, uniteRounds } from "../../results/unite-rounds.ts";
import { startSupervisor } from "../../supervisor/parent.ts";
import type { CompareRequest } from "../compare-request.ts";
import { environmentFacts } from "../environment.ts";
import type { CommandIo } from "../io.ts";
import { runReporters } from "../reporters.ts";
import { type PairPlan, type PlayedPair, playPairs } from "../turns/play-pairs.ts";
import type { Side } from "../turns/side.ts";
import { toolFacts } from "../version.ts";
import { exitCodeOf } from "./exit-code.ts";

export interface TurnsRequest extends CompareRequest {
  base: Side;
  head: Side;
  pairs: number;
  roundMs: number;
  seed?: number;
  calibrate: boolean;
}

/**
 * Runs base and head in turns, compares them pair by pair, and confirms a regression by a second batch before it fails.
 * Gives the exit code.
 */
export async function compareRun(request: TurnsRequest, io: CommandIo): Promise<number> {
  const startedAt = new Date();
  const startedMs = performance.now();
  const seed = request.seed ?? randomInt(2 ** 32);
  // A matrix has verdicts and no rounds: once each is all there is to compare.
  const pairs = request.base.kind === "matrix" ? 1 : request.pairs;
  const folder = createRunFolder({ out: request.outFolder, kind: "compare", startedAt });
  io.setRunFolder(folder.path);
  folder.writePlan(planOf(request, { seed, pairs }));
  const supervisor = await startSupervisor({ runId: `compare-${process.pid}-${startedAt.getTime().toString(36)}` });
  try {
    const surroundings = {
      ...{ supervisor, startedMs, folder: folder.path },
      ...{ cwd: io.cwd, environment: io.environment, signal: io.signal, progress: io.progress },
    };
    const batch = (number: 1 | 2): PairPlan => ({
      ...{ base: request.base, head: request.head, pairs, roundMs: request.roundMs },
      firstSeed: seed + (number - 1) * pairs,
      firstNumber: 1 + (number - 1) * pairs,
      totalRounds: 2 * pairs * number,
    });
    const judge = (played: readonly PlayedPair[]) =>
      judged(request, played, metaOf(request, { id: folder.id, startedAt, seed }));
    const first = await playPairs(batch(1), surroundings);
    if (first.length === 0) throw io.signal.reason ?? new Error("no pair of rounds came to its end");
    let result = judge(first);
    if (needsConfirmation(result) && !request.calibrate && !io.signal.aborted) {
      io.progress.note("A regression: a second batch of pairs confirms it, or does not.");
      const second = await playPairs(batch(2), surroundings);
      if (second.length === pairs) result = confirmComparison(result, judge(second), request.statistics);
    }
    result = { ...result, durationMs: Date.now() - startedAt.getTime(), ...interruption(io, first.length, pairs) };
    folder.writeResult(result);
    io.progress.end();
    await runReporters(result, { reporters: request.reporters, folder: folder.path, json: request.json, io });
    return exitCodeOf(result.status);
  } finally {
    await supervisor.close();
  }
}

/** What --dry-run prints, and what is stored as the plan. */
export function planOf(
  { base, head, roundMs, calibrate }: TurnsRequest,
  { seed, pairs }: { seed: number; pairs: number },
) {
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

function interruption(io: CommandIo, played: number, pairs: number): Partial<CompareResult> {
  if (!io.signal.aborted) return {};
  const reason = messageOf(io.signal.reason);
  return { status: "interrupted", statusReason: `Interrupted after ${played} of ${pairs} pairs (${reason}).` };
}
