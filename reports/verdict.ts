import { benchHeadline } from "./bench/summary.ts";
import { compareHeadline, verdictWord } from "./compare/words.ts";
import { convergeHeadline } from "./converge/summary.ts";
import { headline as lockHeadline } from "./lock/sentences.ts";
import { matrixHeadline, matrixWord } from "./matrix/summary.ts";
import type { AnyResult } from "./result.ts";

/** The verdict as every report says it. */
export interface SpokenVerdict {
  /** Instead of the status, where that would say too much. */
  word: string | undefined;
  headline: string;
  /** Why; absent where the headline says it already. */
  reason: string | undefined;
}

export function spokenVerdict(result: AnyResult): SpokenVerdict {
  const { statusReason: reason } = result;
  switch (result.kind) {
    case "lock":
      return {
        word: undefined,
        headline: lockHeadline(result),
        reason: result.status === "failed" && result.findings.length > 0 ? undefined : reason,
      };
    case "converge":
      return { word: undefined, headline: convergeHeadline(result), reason: saysMore(result) ? reason : undefined };
    case "matrix": {
      const word = matrixWord(result);
      return { word, headline: matrixHeadline(result), reason: word === undefined ? reason : undefined };
    }
    case "compare": {
      const word = verdictWord(result);
      const inFull = result.verdict === "unchanged" && result.metrics.some(({ gated }) => gated);
      return {
        word,
        headline: compareHeadline(result, word === undefined),
        reason: inFull && result.calibration === undefined ? undefined : reason,
      };
    }
    case "bench":
      return {
        word:
          result.status === "passed" && result.benchmarks.every(({ goal }) => goal === null) ? "measured" : undefined,
        headline: benchHeadline(result),
        reason,
      };
  }
}

/** The reason of a failure lists what broke, that of the zoo counts what was found out: headline and table have both. */
function saysMore({ status, crdts }: Extract<AnyResult, { kind: "converge" }>): boolean {
  if (status === "failed") return crdts.every(({ failures, mutant }) => failures.length === 0 && mutant === undefined);
  return status !== "passed" || crdts.every(({ mutant }) => mutant === undefined);
}
