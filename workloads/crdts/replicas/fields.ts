import { DEFAULT_KEYS, type Field } from "../../../harness/contracts/crdt-fields.ts";

/** One row with fields, counters and sets: what the document and every database policy replicates. */
export const ROW_FIELDS: readonly Field[] = [
  { name: "fields", type: "map", keys: DEFAULT_KEYS, conflict: "lww" },
  { name: "counters", type: "counter", keys: DEFAULT_KEYS },
  { name: "sets", type: "set", keys: DEFAULT_KEYS, conflict: "add-wins" },
];
