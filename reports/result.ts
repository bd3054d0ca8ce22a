import type { BenchResult } from "../harness/results/bench-schema.ts";
import type { CompareResult } from "../harness/results/compare-schema.ts";
import type { ConvergeResult } from "../harness/results/converge-schema.ts";
import type { LockResult } from "../harness/results/lock-schema.ts";
import type { MatrixResult } from "../harness/results/matrix-schema.ts";

/** A result of a run: what can be compared. */
export type RunResult = LockResult | ConvergeResult | MatrixResult | BenchResult;

/** A result of any kind. */
export type AnyResult = RunResult | CompareResult;

export type ResultKind = AnyResult["kind"];

export type ResultOf<Kind extends ResultKind> = Extract<AnyResult, { kind: Kind }>;
