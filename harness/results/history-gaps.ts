import type { ArmRound } from "../contracts/check.ts";
import type { LockPlan } from "../contracts/lock-plan.ts";
import type { LockResult } from "./lock-schema.ts";

export interface ReadHistory {
  armRounds: readonly ArmRound[];
  events: number;
  /** Does it begin with the line that says which run it is of? */
  headed: boolean;
  /** Lines that are cut off. */
  torn: number;
}

/**
 * Why a stored history of a run that came to its end cannot be all of it: what is missing from it would otherwise be
 * taken for something that did not happen. Empty: nothing speaks against it.
 * @param stored the result that was made of it when it was whole; judged: the result of what is there now
 */
export function historyGaps(
  { armRounds, events, headed, torn }: ReadHistory,
  { plan, stored, judged }: { plan: LockPlan; stored: LockResult; judged: LockResult },
): string[] {
  if (events === 0) return ["The history is empty: nothing of this run can be judged any more"];
  if (!headed) return [`${CUT_SHORT}, its first line is missing`];
  if (torn > 0) return [`${CUT_SHORT}, its last line is torn`];
  const unended = plan.rounds.flatMap(({ round, order }) =>
    order
      .map((index) => plan.arms[index]?.name ?? "")
      .filter((arm) => !armRounds.some((each) => each.arm === arm && each.round === round && cameToItsEnd(each))),
  );
  if (unended.length > 0) {
    const rounds = armRounds.length === 0 ? "no round of any arm" : `${unended.length} of ${countOf(plan)} rounds`;
    return [
      `${CUT_SHORT}, ${armRounds.length === 0 ? rounds : `${rounds} have no end`} (of ${[...new Set(unended)].join(", ")})`,
    ];
  }
  const fewer = stored.arms.find((arm) => {
    const now = judged.arms.find(({ name }) => name === arm.name);
    return now === undefined || now.jobs.executed < arm.jobs.executed || now.acquire.count < arm.acquire.count;
  });
  return fewer === undefined ? [] : [`${CUT_SHORT}, it holds less of ${fewer.name} than the run recorded`];
}

const CUT_SHORT = "The history was cut short";

const countOf = ({ rounds }: LockPlan): number => rounds.reduce((total, { order }) => total + order.length, 0);

/** A round of jobs ends with its queue; one of the saturation benchmark when everything was healed. */
function cameToItsEnd({ events }: ArmRound): boolean {
  return events.some(
    ({ op, outcome }) => op === "round" && (outcome === "drained" || outcome === "gave-up" || outcome === "healed"),
  );
}
