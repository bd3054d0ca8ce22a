/**
 * What a replica holds, seen from outside: fields with a type and a conflict policy, and the operations on them. The
 * runner draws its operations from these declarations and derives from them what every replica must show.
 *
 * `Replica.value()` returns a plain object with one own property per field, named as the field. A field with `keys` is
 * in turn a plain object (or a Map) from key to value:
 *
 *     fields: [{ name: "stock", type: "counter" }]                       value() -> { stock: 7 }
 *     fields: [{ name: "sets", type: "set", keys: ["tags"] }]            value() -> { sets: { tags: ["new", "sale"] } }
 *
 * What was never written may be missing. An absent register must be missing: `{ title: undefined }` is a register that
 * somebody wrote `undefined` to (unless `canon` says that the library cannot tell).
 */
export type Field = RegisterField | MapField | SetField | CounterField | BoundedCounterField | ListField | UniqueField;

interface FieldBase {
  /** Unique among the fields of the adapter. */
  name: string;
  /** Absent: the field is a single cell. Given: one cell per key; a schedule uses one or two of these keys. */
  keys?: readonly string[];
}

/**
 * One value. Operations: `set`, `delete` (a write of "absent"). Shown: the value; of a multi-value register an array of
 * the values of all maximal writes, in any order, deletions left out, the whole register missing when nothing is left.
 */
export interface RegisterField extends FieldBase {
  type: "register";
  /**
   * `lww`: the greatest timestamp wins. `any`: any maximal write may win, as long as all replicas agree. `multi-value`:
   * all maximal writes show. A write is maximal when no known write of the same cell saw it. The mid-schedule truth of
   * `lww` and `any` is the same: a maximal write shows.
   */
  conflict: "lww" | "any" | "multi-value";
  /** Special values, mixed with values from `fresh`. Default: DEFAULT_VALUES. `[]`: only fresh values. */
  values?: readonly unknown[];
  /** Makes the n-th distinct value of a schedule. Default: the number n itself. */
  fresh?: (n: number) => unknown;
  /** False: the field has no `delete`. Default: true. */
  deletable?: boolean;
}

/** As a keyed register, but shown as one map: a key that is absent must not show. `keys` is the domain of keys. */
export interface MapField extends FieldBase {
  type: "map";
  keys: readonly string[];
  conflict: "lww" | "any" | "multi-value";
  values?: readonly unknown[];
  fresh?: (n: number) => unknown;
  deletable?: boolean;
}

/**
 * Strings without duplicates. Operations: `add`, `remove`. Shown: an array, or a Set, of what is present. The order of an
 * array counts: replicas that show the same elements in another order differ.
 */
export interface SetField extends FieldBase {
  type: "set";
  /**
   * `add-wins`: present iff a known add was seen by no known remove. `remove-wins`: present iff there is a known add and
   * every known remove was seen by a known add.
   */
  conflict: "add-wins" | "remove-wins";
  /** Default: DEFAULT_ELEMENTS. A schedule uses one or two of them. */
  elements?: readonly string[];
  /** False: the field has no `remove` (a grow-only set). Default: true. */
  removable?: boolean;
}

/** The sum of the known deltas. Operation: `increment` with an integer, also a negative one. Shown: a number or bigint. */
export interface CounterField extends FieldBase {
  type: "counter";
  initial?: number;
  /** False: only positive deltas (a grow-only counter). Default: true. */
  decrements?: boolean;
  /** True: has `reset`, which takes back the increments that it saw and no other. Default: false. */
  resets?: boolean;
}

/**
 * A counter that never shows less than zero. Operations: `increment` (stock comes in), `decrement` (refused by `apply`
 * where the rights are short), `transfer` of rights to another region.
 */
export interface BoundedCounterField extends FieldBase {
  type: "bounded-counter";
  /** What the genesis holds, and the sum of all rights at the start. */
  initial?: number;
  /** False: there are no rights to transfer; RIGHTS is not judged. Default: true. */
  transfers?: boolean;
}

/**
 * A sequence. Operations: `insert` at an index, `erase` at an index, both within what the replica shows. Shown: an array,
 * or a string when every value is one character. Every inserted value is distinct.
 */
export interface ListField extends FieldBase {
  type: "list";
  /** Makes the n-th distinct value of a schedule. Default: the number n itself. */
  fresh?: (n: number) => unknown;
}

/**
 * One owner per key over all regions, such as an e-mail address. Operation: `claim`, with the claimant as the value;
 * `apply` may refuse it. Shown: key -> claimant. Two accepted claims of one key are UNIQUENESS.
 */
export interface UniqueField extends FieldBase {
  type: "unique";
  keys: readonly string[];
}

export type OperationKind =
  | "set"
  | "delete"
  | "add"
  | "remove"
  | "increment"
  | "decrement"
  | "reset"
  | "transfer"
  | "insert"
  | "erase"
  | "claim"
  | "own";

/**
 * One local operation. Every property is always there, so that all operations have one shape: an adapter reads those
 * that belong to `kind`. The object is frozen by agreement: neither changed nor kept by reference.
 */
export interface Operation {
  readonly kind: OperationKind;
  /** Name of the field; of an adapter's own operation, its name. */
  readonly field: string;
  /** Key within a keyed field, else "". */
  readonly key: string;
  /** `set`: what is written. `insert`: what is inserted. `claim`: the claimant. `own`: its argument. */
  readonly value: unknown;
  /** `add`, `remove`: the element. */
  readonly element: string;
  /** `increment`: the delta, an integer but 0. `decrement`, `transfer`: how much, a positive integer. */
  readonly amount: number;
  /** `insert`: 0 to the length shown. `erase`: 0 to the length shown - 1. */
  readonly index: number;
  /** `transfer`: id of the region that is given the rights. */
  readonly to: string;
  /** Counts the operations of a schedule from 0, refused ones too: unique, and the same in every replay. */
  readonly number: number;
}

/** Keys that have broken maps before: a prototype's name, a method's, the empty one, one that sorts as a number. */
export const DEFAULT_KEYS: readonly string[] = ["a", "b", "__proto__", "constructor", "", "1"];

/** Values that codecs have lost before. */
export const DEFAULT_VALUES: readonly unknown[] = [Number.NaN, -0, undefined, null, "", [], {}];

/** The last two are the same letter to the eye and to a locale, and two strings to a computer. */
export const DEFAULT_ELEMENTS: readonly string[] = ["x", "y", "__proto__", "", "\u00e9", "e\u0301"];
