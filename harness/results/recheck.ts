import { join } from "node:path";
import { type CheckOutcome, runChecks } from "../checks/registry.ts";
import type { Check, CheckedRun } from "../contracts/check.ts";
import type { LockPlan } from "../contracts/lock-plan.ts";
import { UsageError } from "../errors.ts";
import type { TornLine } from "../history/read.ts";
import { readStoredHistory } from "../history/stored.ts";
import { assembleLockResult, OWN_FAILURE } from "./assemble-lock.ts";
import type { LookOf } from "./fault-records.ts";
import { historyGaps } from "./history-gaps.ts";
import { lacksLength, recordedMs } from "./known-length.ts";
import { parseLockPlan } from "./lock-plan-schema.ts";
import type { LockResult } from "./lock-schema.ts";
import { PLAN_FILE, readResult } from "./store.ts";
import { readStoredPlan } from "./stored-document.ts";

export interface StoredRun extends CheckedRun {
  torn: TornLine[];
  /** False: read from the processes' journals, since the run ended before they were merged. */
  merged: boolean;
  events: number;
  /** Does the history begin with its header? */
  headed: boolean;
}

/** A stored run, also one that was cut short, ready to be checked again. */
export async function readStoredRun(folder: string): Promise<StoredRun> {
  const plan = readPlan(folder);
  const { armRounds, torn, merged, events, header } = await readStoredHistory(folder);
  return { plan, armRounds, torn, merged, events, headed: header !== undefined };
}

export interface Rechecked {
  run: StoredRun;
  outcome: CheckOutcome;
  result: LockResult;
}

/** Checks a stored run again and makes its result anew; what only the runner knew is taken from the stored result. */
export async function recheck(
  folder: string,
  { lookOf, checks }: { lookOf: LookOf; checks?: readonly Check[] },
): Promise<Rechecked> {
  const stored = readResult(folder);
  if (stored.kind !== "lock") {
    throw new UsageError(`${folder} holds a run of kind ${stored.kind}; only lock runs have a history to check again.`);
  }
  const run = await readStoredRun(folder);
  const outcome = runChecks(run, checks);
  const interrupted = stored.status === "interrupted" ? firstSentence(stored.statusReason) : undefined;
  const { file, sha256, faultsText } = stored.plan;
  const judge = (unknown: readonly string[]): LockResult =>
    assembleLockResult({
      plan: run.plan,
      armRounds: run.armRounds,
      findings: outcome.findings,
      meta: {
        ...stored,
        durationMs: lacksLength(stored) ? recordedMs(run.armRounds) : stored.durationMs,
        plan: { file, sha256, faultsText },
        warnings: stored.warnings.filter((warning) => !warning.startsWith(OWN_FAILURE)),
        unknown,
        checks: outcome,
        ...(interrupted === undefined ? {} : { interrupted }),
        lookOf,
      },
    });
  const doubts = stored.doubts ?? [];
  const judged = judge(doubts);
  const gaps =
    interrupted === undefined ? historyGaps({ ...run, torn: run.torn.length }, { plan: run.plan, stored, judged }) : [];
  const result = gaps.length === 0 ? judged : judge([...gaps, ...doubts]);
  return { run, outcome, result };
}

export function readPlan(folder: string): LockPlan {
  return readStoredPlan(join(folder, PLAN_FILE), "lock", parseLockPlan);
}

/** The reason of an interruption; what had been found until then follows it, and is found again. */
function firstSentence(text: string): string {
  return text.replace(/ Until then: .*$/s, "");
}
