import type { CellOutcome } from "../cell.ts";
import type { Expectation } from "./expectations.ts";

export interface SelfTestCase extends Expectation {
  /**
   * `as expected`; `missed`: a broken lock got away; `false alarm`: something was found where there is nothing;
   * `not reached`: it says nothing, since the scenario did not come about.
   */
  verdict: "as expected" | "missed" | "false alarm" | "not reached";
  /** What the checks found, or why nothing can be said. One sentence. */
  reason: string;
}

export interface SelfTestOutcome {
  status: "passed" | "failed" | "unknown";
  statusReason: string;
  cases: readonly SelfTestCase[];
}

/**
 * Holds what the cells came to against what they were to come to. Every broken lock must have been seen breaking; a sound
 * one that did not get into a scenario proves nothing there, and spoils nothing.
 * @param outcomeOf undefined: the cell did not run
 */
export function judgeSelfTest(
  expectations: readonly Expectation[],
  outcomeOf: (expectation: Expectation) => Pick<CellOutcome, "verdict" | "reason" | "checks"> | undefined,
): SelfTestOutcome {
  const cases = expectations.flatMap((expectation): SelfTestCase[] => {
    const outcome = outcomeOf(expectation);
    // A scenario that is about other locks says nothing of a sound one.
    if (expectation.checks.length === 0 && outcome?.verdict === "not-applicable") return [];
    return [judge(expectation, outcome)];
  });
  const wrong = cases.filter(({ verdict }) => verdict === "missed" || verdict === "false alarm");
  if (wrong.length > 0) return { status: "failed", statusReason: `The checks are wrong: ${told(wrong)}.`, cases };
  const open = cases.filter(({ checks, verdict }) => checks.length > 0 && verdict === "not reached");
  if (open.length > 0) return { status: "unknown", statusReason: `Nothing is proven of ${told(open)}.`, cases };
  const broken = cases.filter(({ checks }) => checks.length > 0);
  const sound = cases.filter(({ checks, verdict }) => checks.length === 0 && verdict === "as expected");
  return {
    status: "passed",
    statusReason: `The checks found what is wrong with ${broken.length} broken locks, and nothing in ${sound.length} cells of sound ones.`,
    cases,
  };
}

function judge(
  expectation: Expectation,
  outcome: Pick<CellOutcome, "verdict" | "reason" | "checks"> | undefined,
): SelfTestCase {
  const { checks } = expectation;
  if (!outcome) return { ...expectation, verdict: "not reached", reason: "It did not run." };
  const { reason } = outcome;
  if (checks.length === 0) {
    if (outcome.checks.length > 0) return { ...expectation, verdict: "false alarm", reason };
    return { ...expectation, verdict: outcome.verdict === "held" ? "as expected" : "not reached", reason };
  }
  const silent = checks.filter((check) => !outcome.checks.includes(check));
  if (silent.length === 0) return { ...expectation, verdict: "as expected", reason };
  if (outcome.verdict === "unknown" || outcome.verdict === "not-applicable") {
    return { ...expectation, verdict: "not reached", reason };
  }
  return { ...expectation, verdict: "missed", reason: `${silent.join(" and ")} found nothing. ${reason}` };
}

function told(cases: readonly SelfTestCase[]): string {
  return cases
    .map(({ lock, scenario, verdict, reason }) => `${lock} in ${scenario}: ${verdict} (${reason})`)
    .join("; ");
}
