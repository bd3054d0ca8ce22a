import { DEFAULT_KEYS, type Field, type ListField, type MapField } from "../../../harness/contracts/crdt-fields.ts";

/** A map whose conflict policy is the library's own: any maximal write may win, as long as all agree. */
export function mapField(keys: readonly string[] = DEFAULT_KEYS): MapField {
  return { name: "map", type: "map", keys, conflict: "any" };
}

export const LIST_FIELD: ListField = { name: "list", type: "list" };

/** A text, one distinct character per insert. */
export const TEXT_FIELD: ListField = { name: "text", type: "list", fresh: (n) => String.fromCharCode(0x4e00 + n) };

export const COUNTER_FIELD: Field = { name: "count", type: "counter" };
