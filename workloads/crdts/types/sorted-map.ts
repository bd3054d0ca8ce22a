/**
 * An immutable map from strings to values, its keys sorted by UTF-16 code unit. CRDT states are made of it: a merge is
 * one walk over two sorted lists, two equal maps are equal key by key without sorting, and `__proto__`, `constructor`,
 * "" and "1" are keys like any other. Meant for the handful of keys that one row or one counter has; a write copies.
 */
export interface SortedMap<Value> {
  readonly keys: readonly string[];
  /** `values[i]` belongs to `keys[i]`. */
  readonly values: readonly Value[];
}

const EMPTY: SortedMap<never> = { keys: [], values: [] };

export function emptyMap<Value>(): SortedMap<Value> {
  return EMPTY;
}

/** From entries in any order; the last of equal keys wins. */
export function mapOf<Value>(entries: Iterable<readonly [string, Value]>): SortedMap<Value> {
  let map = emptyMap<Value>();
  for (const [key, value] of entries) map = mapWith(map, key, value);
  return map;
}

export function mapGet<Value>(map: SortedMap<Value>, key: string): Value | undefined {
  const index = indexOf(map.keys, key);
  return index < 0 ? undefined : map.values[index];
}

export function mapHas<Value>(map: SortedMap<Value>, key: string): boolean {
  return indexOf(map.keys, key) >= 0;
}

/** The map with `key` set to `value`; the same map if it already holds this very value. */
export function mapWith<Value>(map: SortedMap<Value>, key: string, value: Value): SortedMap<Value> {
  const index = indexOf(map.keys, key);
  if (index >= 0 && Object.is(map.values[index], value)) return map;
  const values = map.values.slice();
  if (index >= 0) {
    values[index] = value;
    return { keys: map.keys, values };
  }
  const keys = map.keys.slice();
  if (~index === keys.length) {
    keys.push(key);
    values.push(value);
  } else {
    keys.splice(~index, 0, key);
    values.splice(~index, 0, value);
  }
  return { keys, values };
}

/** The map without `key`; the same map if it is not in it. */
export function mapWithout<Value>(map: SortedMap<Value>, key: string): SortedMap<Value> {
  const index = indexOf(map.keys, key);
  if (index < 0) return map;
  return { keys: map.keys.toSpliced(index, 1), values: map.values.toSpliced(index, 1) };
}

export function mapEntries<Value>(map: SortedMap<Value>): [string, Value][] {
  return map.keys.map((key, index) => [key, map.values[index] as Value]);
}

/**
 * Every key of either side; `merge` decides where both have one. Returns `a` itself when the result is `a`, else `b`
 * itself when the result is `b`: what did not change is shared, and comparing it again costs nothing.
 */
export function mergeMaps<Value>(
  a: SortedMap<Value>,
  b: SortedMap<Value>,
  merge: (ours: Value, theirs: Value) => Value,
): SortedMap<Value> {
  if (a === b || b.keys.length === 0) return a;
  if (a.keys.length === 0) return b;
  return sameKeys(a.keys, b.keys) ? mergeSameKeys(a, b, merge) : mergeAnyKeys(a, b, merge);
}

function mergeSameKeys<Value>(
  a: SortedMap<Value>,
  b: SortedMap<Value>,
  merge: (ours: Value, theirs: Value) => Value,
): SortedMap<Value> {
  let values: Value[] | undefined;
  let isB = true;
  for (let index = 0; index < a.values.length; index += 1) {
    const ours = a.values[index] as Value;
    const theirs = b.values[index] as Value;
    const merged = ours === theirs ? ours : merge(ours, theirs);
    if (merged !== theirs) isB = false;
    if (values !== undefined) values.push(merged);
    else if (merged !== ours) {
      values = a.values.slice(0, index);
      values.push(merged);
    }
  }
  if (values === undefined) return a;
  return isB ? b : { keys: a.keys, values };
}

function mergeAnyKeys<Value>(
  a: SortedMap<Value>,
  b: SortedMap<Value>,
  merge: (ours: Value, theirs: Value) => Value,
): SortedMap<Value> {
  const keys: string[] = [];
  const values: Value[] = [];
  let isA = true;
  let isB = true;
  let i = 0;
  let j = 0;
  while (i < a.keys.length || j < b.keys.length) {
    const keyOfA = a.keys[i];
    const keyOfB = b.keys[j];
    if (keyOfB === undefined || (keyOfA !== undefined && keyOfA < keyOfB)) {
      keys.push(keyOfA as string);
      values.push(a.values[i++] as Value);
      isB = false;
    } else if (keyOfA === undefined || keyOfB < keyOfA) {
      keys.push(keyOfB);
      values.push(b.values[j++] as Value);
      isA = false;
    } else {
      const ours = a.values[i++] as Value;
      const theirs = b.values[j++] as Value;
      const merged = ours === theirs ? ours : merge(ours, theirs);
      if (merged !== ours) isA = false;
      if (merged !== theirs) isB = false;
      keys.push(keyOfA);
      values.push(merged);
    }
  }
  if (isA) return a;
  return isB ? b : { keys, values };
}

function sameKeys(a: readonly string[], b: readonly string[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return true;
}

/** The index of `key`, or `~index` of the place where it would go. */
function indexOf(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const candidate = keys[middle] as string;
    if (candidate === key) return middle;
    if (candidate < key) low = middle + 1;
    else high = middle;
  }
  return ~low;
}
