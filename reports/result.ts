import type { BenchResult } from "../harness/results/bench-schema.ts";
import type { ConvergeResult } from "../harness/results/converge-schema.ts";
import type { LockResult } from "../harness/results/lock-schema.ts";
import type { MatrixResult } from "../harness/results/matrix-schema.ts";

/** A result of any kind. */
export type AnyResult = LockResult | ConvergeResult | MatrixResult | BenchResult;

export type ResultKind = AnyResult["kind"];

export type ResultOf<Kind extends ResultKind> = Extract<AnyResult, { kind: Kind }>;
