/** `holdfast/assert`: what a result must show, for node:test and every other runner. */
import { AssertionError } from "node:assert";
import type { ConvergeResult } from "../results/converge-schema.ts";
import type { LockResult } from "../results/lock-schema.ts";
import type { MatrixResult } from "../results/matrix-schema.ts";
import { type Judgement, judgeConvergence, judgeHold } from "./library/judge.ts";
import { resultOf } from "./library/result-of.ts";

/**
 * Throws an `AssertionError` with the findings and their evidence unless the lock held.
 * A run that could not have shown it (no faults, a control without duplicates) is no success.
 * @param name judges one lock of several
 * @throws UsageError for anything but such a result
 */
export function assertHolds(result: LockResult | MatrixResult, name?: string): void {
  const judged = resultOf(result, { judge: "assertHolds", kinds: ["lock", "matrix"], makers: "runLock or runMatrix" });
  assertYes(judgeHold(judged, name), assertHolds);
}

/**
 * The same for replicas: throws with the shrunk counterexample unless they converged to the right thing.
 * @param name judges one data type of several
 * @throws UsageError for anything but such a result
 */
export function assertConverges(result: ConvergeResult, name?: string): void {
  const judged = resultOf(result, { judge: "assertConverges", kinds: ["converge"], makers: "converge" });
  assertYes(judgeConvergence(judged, name), assertConverges);
}

function assertYes({ verdict, message }: Judgement, caller: (...args: never[]) => void): void {
  if (verdict === "yes") return;
  throw new AssertionError({ message, actual: verdict, expected: "yes", operator: caller.name, stackStartFn: caller });
}
