import type { CrdtAdapter } from "../../../harness/contracts/crdt-adapter.ts";
import { ROW_FIELDS } from "../replicas/fields.ts";
import { type PureType, pureAdapter } from "../replicas/pure-adapter.ts";
import { mergeMaps, type SortedMap } from "../types/sorted-map.ts";
import {
  dominates,
  emptyVersion,
  mergeVersions,
  nextTag,
  type VersionVector,
  withTag,
} from "../types/version-vector.ts";
import { changeRow, emptyRow, type PlainRow, showRow } from "./plain-row.ts";

/** What a user writes: the row to keep when both regions changed it without knowing of each other. */
export type ConflictHandler = (local: PlainRow, remote: PlainRow) => PlainRow;

export interface VersionedRow {
  readonly row: PlainRow;
  /** Tells a conflict from a mere update. */
  readonly version: VersionVector;
}

/**
 * A user's conflict handler, as BDR allows (`bdr.bdr_create_conflict_handler`). Both regions call it with the sides
 * swapped; a handler that is not commutative makes them differ for ever. One that is commutative makes two regions agree
 * (three only if it is associative as well), on whatever it says: from two rows it cannot know what was done to them.
 */
export function rowHandlerType(
  name: string,
  summary: string,
  handler: ConflictHandler,
): PureType<VersionedRow, VersionedRow, VersionVector> {
  return {
    name,
    summary,
    fields: ROW_FIELDS,
    initial: () => ({ row: emptyRow(), version: emptyVersion() }),
    apply: ({ row, version }, operation, { id }) => ({
      row: changeRow(row, operation),
      version: withTag(version, nextTag(version, id)),
    }),
    message: (state) => state,
    receive(ours, theirs) {
      if (dominates(ours.version, theirs.version)) return ours;
      if (dominates(theirs.version, ours.version)) return theirs;
      return { row: handler(ours.row, theirs.row), version: mergeVersions(ours.version, theirs.version) };
    },
    show: ({ row }) => showRow(row),
    version: ({ version }) => version,
  };
}

/** As careful as it gets with two rows: keeps every key, the greater value, the lower stock and all tags. */
export const carefulHandler: ConflictHandler = (local, remote) => ({
  fields: mergeMaps(local.fields, remote.fields, (a, b) => (sortKey(a) >= sortKey(b) ? a : b)),
  counters: mergeMaps(local.counters, remote.counters, Math.min),
  sets: mergeMaps(local.sets, remote.sets, (a, b) => [...new Set([...a, ...b])].sort()),
});

/** Looks symmetrical, "the one that came in is newer", and is not: each region takes the other's row. */
export const remoteFirstHandler: ConflictHandler = (local, remote) => {
  const remoteFirst = <Value>(ours: SortedMap<Value>, theirs: SortedMap<Value>) => mergeMaps(ours, theirs, (_, b) => b);
  return {
    fields: remoteFirst(local.fields, remote.fields),
    counters: remoteFirst(local.counters, remote.counters),
    sets: remoteFirst(local.sets, remote.sets),
  };
};

export const adapterOptions = { handler: "careful (default) or remote-first" };

/** @param options `handler`: `careful` (default) or `remote-first` */
export function createAdapter({ handler = "careful" }: Readonly<Record<string, unknown>>): CrdtAdapter {
  const chosen = { careful: carefulHandler, "remote-first": remoteFirstHandler }[String(handler)];
  if (chosen === undefined) {
    throw new TypeError(`row-handler has no handler "${handler}": there are careful and remote-first.`);
  }
  const summary =
    "whole rows with a user's conflict handler, as BDR allows; it sees two rows and not what was done to them";
  return pureAdapter(rowHandlerType("row-handler", summary, chosen)) as CrdtAdapter;
}

/** Any total order will do, as long as it is the same everywhere and tells apart what is shown apart. */
function sortKey(value: unknown): string {
  return Object.is(value, -0) ? "number:-0" : `${typeof value}:${JSON.stringify(value) ?? ""}:${String(value)}`;
}
