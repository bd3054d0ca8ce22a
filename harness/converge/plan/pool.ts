import type { CrdtAdapter, OwnOperation } from "../../contracts/crdt-adapter.ts";
import { DEFAULT_ELEMENTS, type Field, type OperationKind } from "../../contracts/crdt-fields.ts";
import { writeKey } from "../equality/show.ts";
import { Random } from "./random.ts";

/** How many pools an adapter has. Pool 0 is the simplest: the first key and the first element of everything. */
export const POOLS = 32;

/** What is compared as one: a register, a counter, a list, or one element of a set. */
export interface Cell {
  readonly index: number;
  readonly group: Group;
  /** The element of a set, else "". */
  readonly element: string;
}

/** One field, or one key of a keyed field: what is read at once. */
export interface Group {
  readonly index: number;
  readonly field: Field;
  readonly keyed: boolean;
  readonly key: string;
  /** The key is no property of every object, so that a plain read tells whether it is there. */
  readonly plainKey: boolean;
  readonly cells: Cell[];
  /** As it stands in messages: `fields.price`. */
  readonly label: string;
}

export interface OperationTemplate {
  readonly kind: OperationKind;
  readonly cell: Cell | undefined;
  readonly own: OwnOperation | undefined;
}

export interface FieldGroups {
  readonly name: string;
  /** Of type `map`: keys that were not written must not show. */
  readonly isMap: boolean;
  readonly groups: readonly Group[];
}

/** The keys and elements of one schedule: few, since collisions find bugs. */
export interface Pool {
  readonly groups: readonly Group[];
  readonly cells: readonly Cell[];
  /** The groups by field, in the order of the adapter's fields. */
  readonly fields: readonly FieldGroups[];
  /** By cell, the index of its field; behind the last, one for operations of the adapter's own. */
  readonly cellFields: Int32Array;
  /** What a local operation is drawn from; what is more likely stands there more often. */
  readonly templates: readonly OperationTemplate[];
}

/** Makes pool `number` of an adapter; the same every time, whatever the seed of the campaign. */
export function makePool(adapter: Pick<CrdtAdapter, "fields" | "operations">, number: number): Pool {
  const random = new Random().seed(0x9e37, number);
  const groups: Group[] = [];
  const cells: Cell[] = [];
  for (const field of adapter.fields) {
    for (const key of chooseKeys(field, number, random)) {
      const label = field.keys === undefined ? field.name : `${field.name}.${writeKey(key)}`;
      const group: Group = {
        index: groups.length,
        field,
        keyed: field.keys !== undefined,
        key,
        plainKey: !(key in Object.prototype),
        cells: [],
        label,
      };
      groups.push(group);
      for (const element of chooseElements(field, number, random)) {
        const cell: Cell = { index: cells.length, group, element };
        cells.push(cell);
        group.cells.push(cell);
      }
    }
  }
  const templates = [
    ...cells.flatMap((cell) => kindsOf(cell.group.field).map((kind) => ({ kind, cell, own: undefined }))),
    ...(adapter.operations ?? []).map((own) => ({ kind: "own" as const, cell: undefined, own })),
  ];
  const fields = adapter.fields.map((field) => ({
    name: field.name,
    isMap: field.type === "map",
    groups: groups.filter((group) => group.field === field),
  }));
  const fieldOf = (cell: Cell) => adapter.fields.indexOf(cell.group.field);
  const cellFields = Int32Array.from([...cells.map(fieldOf), adapter.fields.length]);
  return { groups, cells, fields, cellFields, templates };
}

function chooseKeys(field: Field, number: number, random: Random): readonly string[] {
  if (field.keys === undefined) return [""];
  if (number === 0) return field.keys.slice(0, 1);
  const several = field.type === "register" || field.type === "map" || field.type === "unique";
  return choose(field.keys, several ? 1 + random.below(2) : 1, number, random);
}

function chooseElements(field: Field, number: number, random: Random): readonly string[] {
  if (field.type !== "set") return [""];
  const elements = field.elements ?? DEFAULT_ELEMENTS;
  return number === 0 ? elements.slice(0, 1) : choose(elements, 1 + random.below(2), number, random);
}

/** A quarter of the pools keep to the first two of the domain, the ordinary ones. */
function choose(domain: readonly string[], count: number, number: number, random: Random): readonly string[] {
  const rest = [...(number % 4 === 1 ? domain.slice(0, 2) : domain)];
  const chosen: string[] = [];
  while (chosen.length < count && rest.length > 0) chosen.push(...rest.splice(random.below(rest.length), 1));
  return chosen;
}

function kindsOf(field: Field): readonly OperationKind[] {
  switch (field.type) {
    case "register":
    case "map":
      return field.deletable === false ? ["set"] : ["set", "set", "set", "delete"];
    case "set":
      return field.removable === false ? ["add"] : ["add", "remove"];
    case "counter":
      return field.resets ? ["increment", "increment", "reset"] : ["increment", "increment"];
    case "bounded-counter":
      return field.transfers === false
        ? ["increment", "decrement", "decrement"]
        : ["increment", "decrement", "decrement", "transfer"];
    case "list":
      return ["insert", "insert", "erase"];
    case "unique":
      return ["claim"];
  }
}
