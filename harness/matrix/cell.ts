import type { Finding } from "../contracts/check.ts";
import type { LockCapabilities } from "../contracts/lock-adapter.ts";
import type { ConfiguredModule, ModuleRef } from "../contracts/module-ref.ts";
import type { Scenario, ScenarioLock } from "../contracts/scenario.ts";
import type { CellFault } from "../results/matrix-schema.ts";

/** A lock of the matrix, found and loaded far enough to know what it can do. */
export interface MatrixLock extends ScenarioLock {
  /** As on the command line: a name, or a path, with its options. */
  text: string;
  summary: string;
  module: ModuleRef & { options: Readonly<Record<string, string | number | boolean>> };
  /** Why it cannot run at all: a package that is not installed. */
  missing?: string;
}

/** Where the workloads are that scenarios name, and what can be done with them. */
export interface MatrixWorkloads {
  queue(name: string): { module: ConfiguredModule; ack: readonly ("inside" | "after")[] };
  job(name: string): ModuleRef & { needsFencing: boolean };
  /** Module that exports `scenarioRegistry`, for the process that judges. */
  scenarios: string;
}

/** One lock in one scenario, once. */
export interface Cell {
  /** Unique within the matrix, and a name for its folder: `set-nx~slow-job~1`. */
  id: string;
  lock: MatrixLock;
  scenario: Scenario;
  /** From 1. */
  repeat: number;
  /** The same for every lock, so that all go through the same. */
  seed: number;
}

/** What one cell showed. */
export interface CellOutcome {
  verdict: "held" | "broke" | "hung" | "unknown" | "not-applicable";
  /** One sentence. */
  reason: string;
  /** Checks that found something, in the order of their weight. */
  checks: readonly string[];
  /** What speaks against the lock. */
  findings: readonly Finding[];
  /** The faults of the round as they happened; absent where nothing was found. */
  faults?: readonly CellFault[];
  durationMs: number;
}

/** What a lock is taken for that does not say what it can do: the plainest. */
export const plainCapabilities: LockCapabilities = {
  renewal: "none",
  fencing: "none",
  nodes: 1,
  client: "not stated",
};
