import type { Status } from "../results/common-schema.ts";
import type { ConvergeCrdt } from "../results/converge-schema.ts";
import { type StartHand, startInline } from "./campaign/hand.ts";
import type { ConvergeOptions, ResolvedConverge } from "./converge-options.ts";
import type { CrdtRun, RunCrdt } from "./crdt-run.ts";
import { isInterruption } from "./interruption.ts";
import { judgeOutcome } from "./outcome.ts";
import { resolveOptions } from "./resolve-options.ts";
import { runExhaustive } from "./run-exhaustive.ts";
import { runFuzz } from "./run-fuzz.ts";
import { runZoo } from "./run-zoo.ts";
import { startThread } from "./thread/thread.ts";

/** What was run and found: the converge part of a result, and the replay files that belong to it. */
export interface ConvergeRun {
  mode: ResolvedConverge["mode"];
  seed: number;
  threads: number;
  status: Status;
  statusReason: string;
  crdts: ConvergeCrdt[];
  warnings: string[];
  durationMs: number;
  /** Name -> text of every failure's `file`. */
  files: Record<string, string>;
}

/**
 * Runs CRDTs through randomized replica schedules, or all short ones, and tells what went wrong.
 * @throws UsageError for options that make no sense, modules that give no adapter, a search that would take for ever
 * @throws UnavailableError when a package that an adapter needs is not installed
 */
export async function runConverge(given: ConvergeOptions): Promise<ConvergeRun> {
  const options = resolveOptions(given);
  const startedMs = performance.now();
  const { threads, mode, seed } = options;
  const startHand = handsOf(options);
  const runs = mode === "zoo" ? await runZoo(options, startHand) : await oneByOne(options, startHand);
  return {
    mode,
    seed,
    threads,
    ...judgeOutcome(runs, options),
    crdts: runs.map(({ crdt }) => crdt),
    warnings: runs.flatMap(({ warnings }) => warnings),
    durationMs: performance.now() - startedMs,
    files: Object.assign({}, ...runs.map(({ files }) => files)),
  };
}

function handsOf({ threads, unguarded, stepDeadlineMs }: ResolvedConverge): StartHand {
  if (threads === 0 && unguarded === "caller") return startInline;
  return () => startThread({ stepDeadlineMs: threads === 0 ? undefined : stepDeadlineMs });
}

async function oneByOne(options: ResolvedConverge, startHand: StartHand): Promise<CrdtRun[]> {
  const run: RunCrdt = options.mode === "exhaustive" ? runExhaustive : runFuzz;
  const runs: CrdtRun[] = [];
  for (const [number, ref] of options.crdts.entries()) {
    if (options.signal?.aborted) break;
    try {
      runs.push(await run(ref, number, options, startHand));
    } catch (error) {
      if (!isInterruption(error, options.signal)) throw error;
      break;
    }
  }
  return runs;
}
