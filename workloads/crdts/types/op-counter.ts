import type { Effect } from "./operation-log.ts";
import { assertInteger } from "./pn-counter.ts";
import { emptyMap, mapGet, mapWith, mergeMaps, type SortedMap } from "./sorted-map.ts";
import { sequenceOf, type VersionVector } from "./version-vector.ts";

/** How much of a region's increments a reset took back: its first `sequence` operations, `total` in all. */
export interface TakenBack {
  readonly sequence: number;
  readonly total: number;
}

/** An op-based counter with a reset that takes back the increments it saw, and no others. */
export interface OpCounter {
  /** Region -> sum of its increments. */
  readonly totals: SortedMap<number>;
  readonly takenBack: SortedMap<TakenBack>;
}

export type CounterOperation =
  | { readonly kind: "increment"; readonly amount: number }
  | { readonly kind: "reset"; readonly takenBack: SortedMap<TakenBack> };

export function emptyOpCounter(): OpCounter {
  return { totals: emptyMap(), takenBack: emptyMap() };
}

/** @throws TypeError if `amount` is no integer */
export function incrementOperation(amount: number): CounterOperation {
  assertInteger(amount);
  return { kind: "increment", amount };
}

/** @param version what the counter's region has applied */
export function resetOperation({ totals }: OpCounter, version: VersionVector): CounterOperation {
  const takenBack = {
    keys: totals.keys,
    values: totals.values.map((total, index) => ({
      sequence: sequenceOf(version, totals.keys[index] as string),
      total,
    })),
  };
  return { kind: "reset", takenBack };
}

/** An increment counts each time it is applied: it needs a delivery of exactly once. A reset may come again. */
export const counterEffect: Effect<OpCounter, CounterOperation> = ({ totals, takenBack }, operation, { region }) =>
  operation.kind === "reset"
    ? { totals, takenBack: mergeMaps(takenBack, operation.takenBack, (a, b) => (a.sequence >= b.sequence ? a : b)) }
    : { totals: mapWith(totals, region, (mapGet(totals, region) ?? 0) + operation.amount), takenBack };

export function opCounterValue({ totals, takenBack }: OpCounter): number {
  let value = 0;
  for (const total of totals.values) value += total;
  for (const { total } of takenBack.values) value -= total;
  return value;
}
