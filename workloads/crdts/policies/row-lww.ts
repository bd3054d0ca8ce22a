import { ROW_FIELDS } from "../replicas/fields.ts";
import { type PureType, pureAdapter } from "../replicas/pure-adapter.ts";
import { changeRow, emptyRow, type PlainRow, showRow } from "./plain-row.ts";

export interface StampedRow {
  readonly row: PlainRow;
  /** Wall clock of the last write, in ms; -1 before the first. */
  readonly updatedAt: number;
  /** Who wrote it: decides a tie. */
  readonly region: string;
}

/** The row with the greater `updatedAt`, whole; a tie is decided by the region. */
export function laterRow(a: StampedRow, b: StampedRow): StampedRow {
  if (a.updatedAt === b.updatedAt) return a.region >= b.region ? a : b;
  return a.updatedAt > b.updatedAt ? a : b;
}

/**
 * The naive replica: rows are shipped whole and the greater `updatedAt` wins. Two edits of different fields lose one of
 * them, and a region whose clock runs ahead wins over the one that wrote last.
 * It is the default of BDR and pgactive (`last_update_wins`) and of DynamoDB global tables ("last writer wins").
 */
export const rowLwwType: PureType<StampedRow> = {
  name: "row-lww",
  summary:
    "whole rows, the greater wall-clock updatedAt wins: what BDR, pgactive and DynamoDB global tables do by default",
  fields: ROW_FIELDS,
  initial: ({ id }) => ({ row: emptyRow(), updatedAt: -1, region: id }),
  apply: ({ row }, operation, { id, clock }) => ({
    row: changeRow(row, operation),
    updatedAt: clock.now(),
    region: id,
  }),
  message: (state) => state,
  receive: laterRow,
  show: ({ row }) => showRow(row),
};

export const createAdapter = () => pureAdapter(rowLwwType);
