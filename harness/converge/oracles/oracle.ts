import type { Replica, Stamp } from "../../contracts/crdt-adapter.ts";
import type { Field } from "../../contracts/crdt-fields.ts";
import type { OracleName } from "../../contracts/crdt-oracles.ts";

/**
 * - `step`: after every step, for the replica that was touched.
 * - `end`: once per schedule, around the final exchange.
 * - `deep`: as `end`, in a seeded few of the schedules, while shrinking, in the zoo and with `--oracles all`.
 */
export type Tier = "step" | "end" | "deep";

interface OracleBase {
  name: OracleName;
  /** What broke, in a few plain words that go on from the name of the data type: it stands in titles. */
  title: string;
  tier: Tier;
  /** What it looks for, in one sentence without a full stop. */
  summary: string;
}

/** What is wrong, in words and values ready to print. */
export interface Finding {
  expected: string;
  actual: string;
}

/** And at which region. */
export interface LawFinding extends Finding {
  region: number;
}

/** Names a difference between what a replica shows and what follows from the operations that it knows. */
export interface ValueOracle extends OracleBase {
  kind: "value";
  explains(mismatch: Mismatch): boolean;
}

/** Judges one act of a hybrid logical clock. */
export interface ClockOracle extends OracleBase {
  kind: "clock";
  judge(facts: ClockFacts): Finding | undefined;
}

/** Judges all replicas at once. */
export interface EndOracle extends OracleBase {
  kind: "end";
  judge(facts: EndFacts): Finding | undefined;
}

/** Works on copies of the replicas as they stand before the final exchange. */
export interface LawOracle extends OracleBase {
  kind: "law";
  judge(lab: Lab): LawFinding | undefined;
}

/** Judged where it happens, by the runner itself. */
export interface RunnerOracle extends OracleBase {
  kind: "runner";
}

export type Oracle = ValueOracle | ClockOracle | EndOracle | LawOracle | RunnerOracle;

/** An operation on the cell in question that the replica knows. */
export interface KnownOperation {
  /** What was written, added or inserted; ABSENT for a deletion. */
  value: unknown;
  /** Delta of a counter. */
  amount: number;
  /** Whether it takes effects away (remove, reset, erase) instead of having one. */
  removal: boolean;
  /** Nothing known saw and overruled it. */
  live: boolean;
}

export interface Mismatch {
  type: Field["type"];
  /** What the replica shows in this cell: ABSENT, a value, a sum, a list; of an element of a set, whether it is there. */
  shown: unknown;
  /** What it should show; of a register any of these. */
  expected: readonly unknown[];
  known: readonly KnownOperation[];
  /** A list or a set shows something twice. */
  repeated: boolean;
  /** A list shows the right things, in an order that contradicts one shown before. */
  reordered: boolean;
}

export interface ClockFacts {
  act: "operation" | "receive" | "load";
  /** The operation writes a register and must have a stamp of its own. */
  mustAdvance: boolean;
  wallMs: number;
  before: Stamp;
  after: Stamp;
  /** The stamp that came with the message, if any. */
  remote: Stamp | undefined;
  /** Code of the refusal; undefined when the act was done. */
  refusal: string | undefined;
  maxDriftMs: number;
}

export interface EndFacts {
  moment: "before the exchange" | "after the exchange" | "after the second round" | "after the collection";
  replicas: readonly EndReplica[];
}

export interface EndReplica {
  id: string;
  value: unknown;
  /** What it showed at the moment before this one. */
  valueBefore: unknown;
  state: unknown;
  stateBefore: unknown;
  version: unknown;
  tombstones: number | undefined;
}

/** A bench for trying laws on copies; the replicas of the schedule stay as they are. */
export interface Lab {
  readonly ids: readonly string[];
  /** Regions, and groups of them, to try a law on, as many as a deep schedule affords, chosen by the schedule. */
  regions(): readonly number[];
  pairs(): readonly (readonly [number, number])[];
  triples(): readonly (readonly [number, number, number])[];
  readonly encodings: readonly string[];
  readonly survivesDuplicates: boolean;
  /** Whether what this region shows is settled: nothing waits for its causes. */
  isSettled(region: number): boolean;
  /** Whether what it saves holds all that it knows. */
  savesAll(region: number): boolean;
  copy(region: number): Replica;
  /** A copy that has taken this message; undefined when there is none, or it was refused. */
  fed(region: number, message: unknown): Replica | undefined;
  /** The region's replica, saved and loaded. */
  reload(region: number): Replica;
  /**
   * Gives one back that was reloaded, or copied and given one message, and else only looked at: it may serve again as what
   * it is.
   */
  keep(region: number, replica: Replica, message?: unknown): void;
  original(region: number): Replica;
  /** Everything that a replica knows, for anyone; undefined when no encoding can say that. */
  full(replica: Replica): unknown;
  /**
   * What a peer lacks, the peer's version being known exactly. Undefined when the encoding cannot carry it (own
   * operations, where others are lacking too) or there is nothing to say.
   */
  message(encoding: string, from: number, to: number): unknown;
  /** The same message through the codec; undefined when there is none. */
  throughCodec(message: unknown): unknown;
}
