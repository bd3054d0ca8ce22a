import type { Register } from "./lww-register.ts";
import { deleteRegister, laterRegister, writeRegister } from "./lww-register.ts";
import type { OrSet } from "./or-set.ts";
import { addToSet, emptySet, mergeSets, removeFromSet, setValues } from "./or-set.ts";
import type { PnCounter } from "./pn-counter.ts";
import { addToCounter, counterValue, emptyCounter, mergeCounters } from "./pn-counter.ts";
import { emptyMap, mapGet, mapWith, mergeMaps, type SortedMap } from "./sorted-map.ts";
import type { Tag } from "./tag.ts";
import type { Timestamp } from "./timestamp.ts";

/** One row as a CRDT: its fields, counters and sets, each of which merges by itself. */
export interface Document {
  readonly fields: SortedMap<Register>;
  readonly counters: SortedMap<PnCounter>;
  readonly sets: SortedMap<OrSet>;
}

/** How the parts of a document merge. The broken documents replace one of them. */
export interface DocumentMerges {
  fields(a: SortedMap<Register>, b: SortedMap<Register>): SortedMap<Register>;
  counters(a: SortedMap<PnCounter>, b: SortedMap<PnCounter>): SortedMap<PnCounter>;
  sets(a: SortedMap<OrSet>, b: SortedMap<OrSet>): SortedMap<OrSet>;
}

const EMPTY: Document = { fields: emptyMap(), counters: emptyMap(), sets: emptyMap() };

export function emptyDocument(): Document {
  return EMPTY;
}

export function setField(document: Document, name: string, value: unknown, timestamp: Timestamp): Document {
  const fields = mapWith(document.fields, name, writeRegister(value, timestamp));
  return { fields, counters: document.counters, sets: document.sets };
}

export function deleteField(document: Document, name: string, timestamp: Timestamp): Document {
  const fields = mapWith(document.fields, name, deleteRegister(timestamp));
  return { fields, counters: document.counters, sets: document.sets };
}

/** @throws TypeError if `delta` is no integer */
export function addToCounterOf(document: Document, name: string, region: string, delta: number): Document {
  const counter = mapGet(document.counters, name);
  const counters = mapWith(document.counters, name, addToCounter(counter ?? emptyCounter(), region, delta));
  return { fields: document.fields, counters, sets: document.sets };
}

/** @param tag never used before, by anyone */
export function addToSetOf(document: Document, name: string, element: string, tag: Tag): Document {
  const sets = mapWith(document.sets, name, addToSet(mapGet(document.sets, name) ?? emptySet(), element, tag));
  return { fields: document.fields, counters: document.counters, sets };
}

/** The same document if the element is not in the set. */
export function removeFromSetOf(document: Document, name: string, element: string): Document {
  const set = mapGet(document.sets, name);
  if (set === undefined) return document;
  const sets = mapWith(document.sets, name, removeFromSet(set, element));
  if (sets === document.sets) return document;
  return { fields: document.fields, counters: document.counters, sets };
}

const mergeFieldMaps = (a: SortedMap<Register>, b: SortedMap<Register>) => mergeMaps(a, b, laterRegister);
const mergeCounterMaps = (a: SortedMap<PnCounter>, b: SortedMap<PnCounter>) => mergeMaps(a, b, mergeCounters);
const mergeSetMaps = (a: SortedMap<OrSet>, b: SortedMap<OrSet>) => mergeMaps(a, b, mergeSets);

export const DOCUMENT_MERGES: DocumentMerges = {
  fields: mergeFieldMaps,
  counters: mergeCounterMaps,
  sets: mergeSetMaps,
};

/**
 * Key by key; a key present on one side passes. Commutative, associative and idempotent, since each part is. Returns
 * `a` itself when `b` brought nothing new, and `b` itself when `a` had nothing to add.
 */
export function mergeDocuments(a: Document, b: Document, merges: DocumentMerges = DOCUMENT_MERGES): Document {
  if (a === b) return a;
  const fields = merges.fields(a.fields, b.fields);
  const counters = merges.counters(a.counters, b.counters);
  const sets = merges.sets(a.sets, b.sets);
  if (fields === a.fields && counters === a.counters && sets === a.sets) return a;
  if (fields === b.fields && counters === b.counters && sets === b.sets) return b;
  return { fields, counters, sets };
}

/** The fields that are there, deleted ones left out, in sorted order. */
export function fieldValues({ keys, values }: Document["fields"]): Map<string, unknown> {
  const map = new Map<string, unknown>();
  for (let index = 0; index < keys.length; index += 1) {
    const register = values[index] as Register;
    if (!register.deleted) map.set(keys[index] as string, register.value);
  }
  return map;
}

/** A counter that is back at 0 stays. */
export function counterValues({ keys, values }: Document["counters"]): Map<string, number> {
  const map = new Map<string, number>();
  for (let index = 0; index < keys.length; index += 1) {
    map.set(keys[index] as string, counterValue(values[index] as PnCounter));
  }
  return map;
}

/** A set that was emptied stays. */
export function elementsOfSets({ keys, values }: Document["sets"]): Map<string, string[]> {
  const map = new Map<string, string[]>();
  for (let index = 0; index < keys.length; index += 1) {
    map.set(keys[index] as string, setValues(values[index] as OrSet));
  }
  return map;
}

/**
 * The plain object for a client: `{ price: 120, stock: 7, tags: ["new", "sale"] }`. It has no prototype, so that every
 * name is just a name. Where a field, a counter and a set share a name, the set is shown, then the counter.
 */
export function view({ fields, counters, sets }: Document): Record<string, unknown> {
  const plain: Record<string, unknown> = Object.create(null);
  for (const part of [fieldValues(fields), counterValues(counters), elementsOfSets(sets)]) {
    for (const [name, value] of part) plain[name] = value;
  }
  return plain;
}
