import { compareTimestamps, type Timestamp } from "./timestamp.ts";

/**
 * A register in which the write with the greater timestamp wins.
 * A deletion is a write like any other, of "absent": without a timestamp of its own it would lose against older writes
 * that arrive later. Which of two concurrent writes is lost is decided by the clocks, and one of them is lost.
 * Source: M. Shapiro, N. Preguiça, C. Baquero, M. Zawirski: A comprehensive study of CRDTs (INRIA RR-7506, 2011), 3.2.1.
 */
export interface Register<Value = unknown> {
  readonly value: Value | undefined;
  readonly timestamp: Timestamp;
  /** True: the last write was a deletion, and `value` is undefined. */
  readonly deleted: boolean;
}

export function writeRegister<Value>(value: Value, timestamp: Timestamp): Register<Value> {
  return { value, timestamp, deleted: false };
}

export function deleteRegister<Value>(timestamp: Timestamp): Register<Value> {
  return { value: undefined, timestamp, deleted: true };
}

/** The one with the greater timestamp. */
export function laterRegister<Value>(a: Register<Value>, b: Register<Value>): Register<Value> {
  return compareTimestamps(a.timestamp, b.timestamp) >= 0 ? a : b;
}

/** The side with the greater timestamp; a missing side yields the other. */
export function mergeRegisters<Value>(
  a: Register<Value> | undefined,
  b: Register<Value> | undefined,
): Register<Value> | undefined {
  if (a === undefined) return b;
  return b === undefined ? a : laterRegister(a, b);
}
