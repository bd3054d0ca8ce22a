import { DEFAULT_KEYS, type Field } from "../../../../harness/contracts/crdt-fields.ts";

/** Fields that are written and never deleted: what goes wrong with timestamps shows as one write over another. */
export const WRITES_ONLY: readonly Field[] = [
  { name: "fields", type: "map", keys: DEFAULT_KEYS, conflict: "lww", deletable: false },
];
