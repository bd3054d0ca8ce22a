import type { ArmRound, CheckedRun } from "../contracts/check.ts";

/** The rounds of lock arms. What a control shows is power, never a finding. */
export function lockRounds(run: CheckedRun): ArmRound[] {
  const controls = new Set(run.plan.arms.filter(({ role }) => role === "control").map(({ name }) => name));
  return run.armRounds.filter(({ arm }) => !controls.has(arm));
}

/** Puts values under their names, keeping the order in which names first came. */
export function groupBy<Value>(values: Iterable<Value>, nameOf: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const name = nameOf(value);
    const group = groups.get(name);
    if (group) group.push(value);
    else groups.set(name, [value]);
  }
  return groups;
}

/** The first value with the greatest measure. */
export function greatest<Value>(values: readonly Value[], measure: (value: Value) => number): Value {
  return values.reduce((best, value) => (measure(value) > measure(best) ? value : best));
}
