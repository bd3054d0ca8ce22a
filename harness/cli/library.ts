/** What `import ... from "holdfast"` gives: the contracts, for locks, queues, jobs, CRDTs and reporters of one's own. */

export { type Config, defineConfig } from "../config/config-type.ts";
export type { Check, Evidence, Finding } from "../contracts/check.ts";
export type { Clock } from "../contracts/clock.ts";
export type * from "../contracts/crdt-adapter.ts";
export type * from "../contracts/crdt-fields.ts";
export type { FaultDescription, FaultParameter, PlannedFault } from "../contracts/fault.ts";
export type { HistoryEvent, HistoryHeader, Operation, Phase } from "../contracts/history.ts";
export type { Job, JobExecution, JobModule } from "../contracts/job.ts";
export type * from "../contracts/lock-adapter.ts";
export { defineLock } from "../contracts/lock-adapter.ts";
export type { LockPlan } from "../contracts/lock-plan.ts";
export type * from "../contracts/queue.ts";
export type { Reporter, ReporterContext, ReporterOutput } from "../contracts/reporter.ts";
export type { EffectOutcome, Witness } from "../contracts/witness.ts";
export type { LockResult } from "../results/lock-schema.ts";
