import type { Check, CheckedRun, Finding } from "../contracts/check.ts";
import type { HistoryEvent } from "../contracts/history.ts";
import { duplicates } from "./duplicates.ts";
import { exclusion } from "./exclusion.ts";
import { fencing } from "./fencing.ts";
import { hang } from "./hang.ts";
import { hygiene } from "./hygiene.ts";
import { lateEffects } from "./late-effects.ts";
import { linearizability } from "./linearizability.ts";
import { liveness } from "./liveness.ts";
import { lostWork } from "./lost-work.ts";
import { orphanLock } from "./orphan-lock.ts";
import { ownership } from "./ownership.ts";
import { validity } from "./validity.ts";

/** Every check, in the order in which findings are shown. */
export const checkRegistry: readonly Check[] = [
  exclusion,
  duplicates,
  lostWork,
  lateEffects,
  validity,
  ownership,
  fencing,
  linearizability,
  liveness,
  hang,
  orphanLock,
  hygiene,
];

/** Something that was seen; a gap only says that nothing was. */
const isTraced = ({ op, detail }: HistoryEvent) => op === "trace" && detail?.kind !== "gap";

export interface CheckOutcome {
  findings: Finding[];
  /** Names of the checks that judged. Those that need a command trace are not among them where there was none. */
  judged: string[];
  /** Checks that threw: their property was not judged, so the run cannot pass. */
  notJudged: { check: string; error: string }[];
}

/** Runs checks over a history. One that throws spoils neither the others nor what they found. */
export function runChecks(run: CheckedRun, checks: readonly Check[] = checkRegistry): CheckOutcome {
  const outcome: CheckOutcome = { findings: [], judged: [], notJudged: [] };
  const lesser: Finding[] = [];
  const traced = run.armRounds.some(({ events }) => events.some(isTraced));
  for (const { name, check, needsTrace, lesser: lesserClasses = [] } of checks) {
    if (needsTrace && !traced) continue;
    try {
      for (const finding of check(run)) {
        (lesserClasses.includes(finding.class) ? lesser : outcome.findings).push(finding);
      }
      outcome.judged.push(name);
    } catch (error) {
      outcome.notJudged.push({
        check: name,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
  }
  outcome.findings.push(...lesser);
  return outcome;
}
