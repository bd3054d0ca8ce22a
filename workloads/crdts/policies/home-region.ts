import { ROW_FIELDS } from "../replicas/fields.ts";
import { type PureType, pureAdapter } from "../replicas/pure-adapter.ts";
import { createHomeRow, type HomeRow, homeOfKey, laterHomeRow, writeHomeRow } from "../types/home-region.ts";
import { emptyMap, mapGet, mapWith, mergeMaps, type SortedMap } from "../types/sorted-map.ts";
import { changeRow, emptyRow, type PlainRow, showRow } from "./plain-row.ts";

export type HomeRows = SortedMap<HomeRow<PlainRow>>;

/** Every row, here one per key, has a home that takes its writes; elsewhere they are refused, with the home's name. */
export const homeRegionType: PureType<HomeRows> = {
  name: "home-region",
  summary: "each row is written in its home region only; elsewhere a write is refused and must be routed there",
  fields: ROW_FIELDS,
  initial: () => emptyMap(),
  apply(rows, operation, { id, regions }) {
    const { key } = operation;
    const before = mapGet(rows, key) ?? createHomeRow(homeOfKey(key, regions), emptyRow());
    if (before.home !== id) return "NOT_HOME";
    const after: HomeRow<PlainRow> = writeHomeRow(before, id, changeRow(before.value, operation));
    return mapWith(rows, key, after);
  },
  message: (rows) => rows,
  receive: (ours, theirs) => mergeMaps(ours, theirs, laterHomeRow),
  show: (rows) =>
    showRow({
      fields: joined(rows, ({ fields }) => fields),
      counters: joined(rows, ({ counters }) => counters),
      sets: joined(rows, ({ sets }) => sets),
    }),
};

export const createAdapter = () => ({
  ...pureAdapter(homeRegionType),
  writesWaitFor: "the home, for each write from elsewhere: a round trip, or no write while it is out of reach",
});

function joined<Value>(rows: HomeRows, part: (row: PlainRow) => SortedMap<Value>): SortedMap<Value> {
  return rows.values.reduce((all, { value }) => mergeMaps(all, part(value), (one) => one), emptyMap<Value>());
}
