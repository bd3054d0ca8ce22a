import { ROW_FIELDS } from "../replicas/fields.ts";
import { type PureType, pureAdapter } from "../replicas/pure-adapter.ts";
import { DEFAULT_MAX_DRIFT_MS, driftMs, initialHlc, joinHlc, tickHlc } from "../types/hlc.ts";
import { deleteRegister, laterRegister, type Register, writeRegister } from "../types/lww-register.ts";
import { emptyMap, mapGet, mapWith, mergeMaps, type SortedMap } from "../types/sorted-map.ts";
import type { Timestamp } from "../types/timestamp.ts";

type Registers = SortedMap<Register>;

export interface FieldwiseRow {
  readonly fields: Registers;
  readonly counters: Registers;
  readonly sets: Registers;
  readonly clock: Timestamp;
}

/**
 * Every field wins by itself, by hybrid logical clock: edits of different fields both stay. A counter or a set is a
 * field like any other here, read, changed and written whole, so that of two sales at the same time one is lost.
 * Cassandra keeps its cells like this (with wall clocks).
 */
export const fieldLwwType: PureType<FieldwiseRow> = {
  name: "field-lww",
  summary: "each field by itself, the last writer wins by hybrid logical clock; counters and sets are written whole",
  fields: ROW_FIELDS,
  hlc: { maxDriftMs: DEFAULT_MAX_DRIFT_MS, messageStamp: ({ clock }) => clock },
  initial: ({ id }) => ({ fields: emptyMap(), counters: emptyMap(), sets: emptyMap(), clock: initialHlc(id) }),
  apply(row, { kind, key, value, element, amount }, context) {
    const clock = tickHlc(row.clock, context.clock.now());
    if (kind === "set") return { ...row, fields: mapWith(row.fields, key, writeRegister(value, clock)), clock };
    if (kind === "delete") return { ...row, fields: mapWith(row.fields, key, deleteRegister(clock)), clock };
    if (kind === "increment") {
      const before = (mapGet(row.counters, key)?.value as number | undefined) ?? 0;
      return { ...row, counters: mapWith(row.counters, key, writeRegister(before + amount, clock)), clock };
    }
    const before = (mapGet(row.sets, key)?.value as readonly string[] | undefined) ?? [];
    const others = before.filter((each) => each !== element);
    const after = kind === "add" ? [...others, element].sort() : others;
    return { ...row, sets: mapWith(row.sets, key, writeRegister(after, clock)), clock };
  },
  message: (row) => row,
  receive(ours, theirs, context) {
    const wallMs = context.clock.now();
    if (driftMs(theirs.clock, wallMs) > DEFAULT_MAX_DRIFT_MS) return "CLOCK_DRIFT";
    return {
      fields: mergeRegisterMaps(ours.fields, theirs.fields),
      counters: mergeRegisterMaps(ours.counters, theirs.counters),
      sets: mergeRegisterMaps(ours.sets, theirs.sets),
      clock: joinHlc(ours.clock, theirs.clock, wallMs),
    };
  },
  show: ({ fields, counters, sets }) => ({
    fields: present(fields),
    counters: present(counters),
    sets: present(sets),
  }),
  essence: ({ fields, counters, sets }) => ({ fields, counters, sets }),
  stamp: ({ clock }) => clock,
};

export const createAdapter = () => pureAdapter(fieldLwwType);

const mergeRegisterMaps = (a: Registers, b: Registers) => mergeMaps(a, b, laterRegister);

function present({ keys, values }: Registers): Map<string, unknown> {
  const map = new Map<string, unknown>();
  for (const [index, { value, deleted }] of values.entries()) if (!deleted) map.set(keys[index] as string, value);
  return map;
}
