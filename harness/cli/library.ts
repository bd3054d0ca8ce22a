import type { CrdtAdapter } from "../contracts/crdt-adapter.ts";
import type { ProcessAdapterOptions } from "../converge/process/process-adapter.ts";

/**
 * What `import ... from "holdfast"` gives: the commands as functions, and the contracts for locks, queues, jobs, CRDTs
 * and reporters of one's own.
 */

export { defineReporter } from "../../reports/user-reporter.ts";
export { type Config, defineConfig } from "../config/config-type.ts";
export type { Check, Evidence, Finding } from "../contracts/check.ts";
export type { Clock } from "../contracts/clock.ts";
export type * from "../contracts/crdt-adapter.ts";
export { ABSENT, defineCrdt } from "../contracts/crdt-adapter.ts";
export type * from "../contracts/crdt-fields.ts";
export { DEFAULT_ELEMENTS, DEFAULT_KEYS, DEFAULT_VALUES } from "../contracts/crdt-fields.ts";
export type * from "../contracts/crdt-oracles.ts";
export type { FaultDescription, FaultParameter, PlannedFault } from "../contracts/fault.ts";
export type { HistoryEvent, HistoryHeader, Operation as HistoryOperation, Phase } from "../contracts/history.ts";
export type { Job, JobExecution, JobModule } from "../contracts/job.ts";
export type * from "../contracts/lock-adapter.ts";
export { defineLock } from "../contracts/lock-adapter.ts";
export type { LockPlan } from "../contracts/lock-plan.ts";
export type * from "../contracts/queue.ts";
export type { Reporter, ReporterContext, ReporterOutput, RunBegin } from "../contracts/reporter.ts";
export type { EffectOutcome, Witness } from "../contracts/witness.ts";
export type { ReplayFile } from "../converge/replay/replay-file.ts";
export { HarnessError, UnavailableError, UsageError } from "../errors.ts";
export type { CompareResult } from "../results/compare-schema.ts";
export type { ConvergeResult } from "../results/converge-schema.ts";
export type { LockResult } from "../results/lock-schema.ts";
export type { MatrixResult } from "../results/matrix-schema.ts";
export type { Result } from "../results/result-schema.ts";
export type { RunOptions } from "./library/code-options.ts";
export type { ComparedSide, CompareRunOptions } from "./library/compare-results.ts";
export type { Replayed, ReplayOptions } from "./library/replay.ts";
export type { ConvergeRunOptions } from "./library/run-converge.ts";
export { runFolder } from "./library/run-folder.ts";
export type { LockRunOptions } from "./library/run-lock.ts";
export type { MatrixRunOptions } from "./library/run-matrix.ts";
export type { ProcessAdapterOptions };

/** The heavy part of the package is loaded by those who run something, and not by a lock's module for its types. */
export const runLock: typeof import("./library/run-lock.ts").runLock = async (options) =>
  (await import("./library/run-lock.ts")).runLock(options);

export const runMatrix: typeof import("./library/run-matrix.ts").runMatrix = async (options) =>
  (await import("./library/run-matrix.ts")).runMatrix(options);

export const converge: typeof import("./library/run-converge.ts").converge = async (options) =>
  (await import("./library/run-converge.ts")).converge(options);

export const compare: typeof import("./library/compare-results.ts").compare = async (base, head, options) =>
  (await import("./library/compare-results.ts")).compare(base, head, options);

export const replay: typeof import("./library/replay.ts").replay = async (counterexample, options) =>
  (await import("./library/replay.ts")).replay(counterexample, options);

/** Replicas in another language, for `createAdapter`; see `processAdapter` in the contract of the process. */
export const processAdapter = async (options: ProcessAdapterOptions): Promise<CrdtAdapter> =>
  (await import("../converge/process/process-adapter.ts")).processAdapter(options);
