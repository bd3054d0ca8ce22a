import type { Operation } from "./crdt-fields.ts";

/** The oracles of the engine. What each one looks for is said in its own file and by `harness list oracles`. */
export const ORACLE_NAMES = [
  "CRASH",
  "HLC-DRIFT",
  "HLC-RECEIVE",
  "HLC-REGRESSED",
  "REJECT-MUTATED",
  "INPUT-MUTATED",
  "DOUBLE-COUNT",
  "RESURRECTED",
  "ADD-LOST",
  "CAUSALITY",
  "LOST-UPDATE",
  "ORDER",
  "NEGATIVE",
  "RIGHTS",
  "UNIQUENESS",
  "LIVE-RELOAD",
  "DELTA-FULL",
  "NOT-COMMUTATIVE",
  "NOT-ASSOCIATIVE",
  "NOT-IDEMPOTENT",
  "NO-QUIESCENCE",
  "DIVERGED",
  "GROWTH",
] as const;

export type OracleName = (typeof ORACLE_NAMES)[number];

/** What an adapter's own oracle may look at. Nothing in it may be changed. */
export interface OracleFacts {
  /** The replicas, in the order of the regions. */
  readonly replicas: readonly {
    readonly id: string;
    readonly value: unknown;
    /** Indexes into `operations` of what this replica causally knows, ascending. */
    knows(): readonly number[];
  }[];
  /** Index of the replica that was touched by this step; undefined at the end. */
  readonly touched: number | undefined;
  /** Every operation that was accepted so far, in the order of the schedule, with the index of the region that did it. */
  readonly operations: readonly { readonly operation: Operation; readonly region: number }[];
}

/** An oracle that an adapter brings along, for what the engine cannot know about its values. */
export interface OwnOracle {
  /** In capitals, unlike any of ORACLE_NAMES. */
  name: string;
  summary: string;
  /** `step`: after every step. `end`: once, after the final exchange. */
  tier: "step" | "end";
  /** What is wrong, with expected and actual in it; undefined when all is well. */
  check(facts: OracleFacts): string | undefined;
}
