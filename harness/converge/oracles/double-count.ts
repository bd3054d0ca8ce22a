import { isSumOfSome } from "./mismatch.ts";
import type { Mismatch, ValueOracle } from "./oracle.ts";

export const doubleCount: ValueOracle = {
  name: "DOUBLE-COUNT",
  title: "something counts twice",
  tier: "step",
  kind: "value",
  summary: "An operation counts more than once: a delta in a counter, an item in a list or a set",
  explains(mismatch) {
    if (mismatch.repeated) return true;
    return (mismatch.type === "counter" || mismatch.type === "bounded-counter") && countsTooMuch(mismatch);
  },
};

function countsTooMuch({ shown, expected, known }: Mismatch): boolean {
  const difference = Number(shown) - Number(expected[0]);
  if (!Number.isFinite(difference)) return false;
  const deltas = known.filter(({ live, removal }) => live && !removal).map(({ amount }) => amount);
  if (isSumOfSome(difference, deltas))
    return !isSumOfSome(-difference, deltas) || Math.abs(Number(shown)) > Math.abs(Number(expected[0]));
  if (isSumOfSome(-difference, deltas)) return false;
  return Math.abs(Number(shown)) > Math.abs(Number(expected[0]));
}
