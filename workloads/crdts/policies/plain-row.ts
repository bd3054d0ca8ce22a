import type { Operation } from "../../../harness/contracts/crdt-fields.ts";
import { emptyMap, mapEntries, mapGet, mapWith, mapWithout, type SortedMap } from "../types/sorted-map.ts";

/** A row as a database without CRDTs keeps it: values, with nothing that tells how they came about. */
export interface PlainRow {
  readonly fields: SortedMap<unknown>;
  readonly counters: SortedMap<number>;
  readonly sets: SortedMap<readonly string[]>;
}

const EMPTY: PlainRow = { fields: emptyMap(), counters: emptyMap(), sets: emptyMap() };

export function emptyRow(): PlainRow {
  return EMPTY;
}

/** Reads, changes, writes. */
export function changeRow(row: PlainRow, { kind, key, value, element, amount }: Operation): PlainRow {
  const { fields, counters, sets } = row;
  if (kind === "set") return { fields: mapWith(fields, key, value), counters, sets };
  if (kind === "delete") return { fields: mapWithout(fields, key), counters, sets };
  if (kind === "increment") {
    return { fields, counters: mapWith(counters, key, (mapGet(counters, key) ?? 0) + amount), sets };
  }
  const others = (mapGet(sets, key) ?? []).filter((each) => each !== element);
  return { fields, counters, sets: mapWith(sets, key, kind === "add" ? [...others, element].sort() : others) };
}

/** What a client sees, for the fields of `ROW_FIELDS`. */
export function showRow({ fields, counters, sets }: PlainRow): unknown {
  return {
    fields: new Map(mapEntries(fields)),
    counters: new Map(mapEntries(counters)),
    sets: new Map(mapEntries(sets)),
  };
}
