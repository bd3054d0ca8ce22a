import type { Evidence, Finding } from "../contracts/check.ts";
import { greatest, groupBy } from "./arms.ts";
import type { RoundIndex } from "./round-index.ts";
import { count } from "./words.ts";

/** One case of a broken property, before cases of a kind become a finding. */
export interface Case {
  index: RoundIndex;
  class: string;
  /** A sentence on this case. */
  message: string;
  /** The case with the greatest weight is shown; of equals the first. */
  weight: number;
  evidence(): Evidence[];
}

/** A finding for each arm and class, showing its weightiest case. */
export function findingsOf(check: string, cases: readonly Case[], what = "case"): Finding[] {
  const groups = groupBy(cases, ({ index, class: kind }) => `${index.armRound.arm}\n${kind}`);
  return [...groups.values()].map((group) => {
    const shown = greatest(group, ({ weight }) => weight);
    const more = group.length > 1 ? ` ${count(group.length, what)} in all.` : "";
    return {
      check,
      class: shown.class,
      arm: shown.index.armRound.arm,
      count: group.length,
      message: `${shown.message}${more}`,
      evidence: shown.evidence(),
    };
  });
}
