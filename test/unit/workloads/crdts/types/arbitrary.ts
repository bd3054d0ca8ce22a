import * as fc from "fast-check";
import {
  addToCounterOf,
  addToSetOf,
  type Document,
  deleteField,
  emptyDocument,
  mergeDocuments,
  removeFromSetOf,
  setField,
} from "../../../../../workloads/crdts/types/document.ts";
import { initialHlc, joinHlc, tickHlc } from "../../../../../workloads/crdts/types/hlc.ts";
import type { Timestamp } from "../../../../../workloads/crdts/types/timestamp.ts";

/** Keys that break naive objects, and two that a locale takes for one. */
export const KEYS = ["price", "__proto__", "constructor", "", "1", "10", "\u00e9", "e\u0301"] as const;
export const VALUES: readonly unknown[] = [1, Number.NaN, -0, undefined, null, "", [], {}, "text"];
export const REGIONS = ["fra", "cai", "iad"] as const;

export const key = fc.constantFrom(...KEYS);
export const value = fc.constantFrom(...VALUES);

export type Step =
  | { kind: "set"; region: number; key: string; value: unknown }
  | { kind: "delete"; region: number; key: string }
  | { kind: "count"; region: number; key: string; delta: number }
  | { kind: "add"; region: number; key: string; element: string }
  | { kind: "remove"; region: number; key: string; element: string }
  | { kind: "merge"; region: number; from: number }
  | { kind: "clock"; region: number; byMs: number };

const region = fc.nat({ max: REGIONS.length - 1 });

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("set" as const), region, key, value }),
    fc.record({ kind: fc.constant("delete" as const), region, key }),
    fc.record({ kind: fc.constant("count" as const), region, key, delta: fc.integer({ min: -3, max: 3 }) }),
    fc.record({ kind: fc.constant("add" as const), region, key, element: key }),
    fc.record({ kind: fc.constant("remove" as const), region, key, element: key }),
    fc.record({ kind: fc.constant("merge" as const), region, from: region }),
    fc.record({ kind: fc.constant("clock" as const), region, byMs: fc.integer({ min: -1000, max: 1000 }) }),
  ),
  { maxLength: 30 },
);

/** Three documents that came about as documents do: by operations and merges, with clocks that step. */
export function documentsAfter(all: readonly Step[]): [Document, Document, Document] {
  const documents: [Document, Document, Document] = [emptyDocument(), emptyDocument(), emptyDocument()];
  const stamps: Timestamp[] = REGIONS.map(initialHlc);
  const walls = REGIONS.map(() => 1000);
  let sequence = 0;
  for (const step of all) {
    const at = step.region as 0 | 1 | 2;
    const name = REGIONS[at];
    const wall = walls[at] as number;
    const before = documents[at];
    const stamp = () => {
      stamps[at] = tickHlc(stamps[at] as Timestamp, wall);
      return stamps[at] as Timestamp;
    };
    if (step.kind === "set") documents[at] = setField(before, step.key, step.value, stamp());
    else if (step.kind === "delete") documents[at] = deleteField(before, step.key, stamp());
    else if (step.kind === "count") documents[at] = addToCounterOf(before, step.key, name, step.delta);
    else if (step.kind === "add") {
      sequence += 1;
      documents[at] = addToSetOf(before, step.key, step.element, { region: name, sequence });
    } else if (step.kind === "remove") documents[at] = removeFromSetOf(before, step.key, step.element);
    else if (step.kind === "clock") walls[at] = wall + step.byMs;
    else {
      stamps[at] = joinHlc(stamps[at] as Timestamp, stamps[step.from] as Timestamp, wall);
      documents[at] = mergeDocuments(before, documents[step.from as 0 | 1 | 2]);
    }
  }
  return documents;
}

/** Freezes a state, so that a merge or an operation that changes its input throws. */
export function deepFreeze<State>(state: State): State {
  if (typeof state === "object" && state !== null && !Object.isFrozen(state)) {
    Object.freeze(state);
    for (const part of Object.values(state)) deepFreeze(part);
  }
  return state;
}
