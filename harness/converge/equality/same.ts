/**
 * Equality of what replicas show: by structure, keys in any order, NaN equal to itself, -0 unlike 0, an own property
 * that holds undefined unlike a missing one. No strings are made: this runs several times per schedule.
 */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b);
  if (Array.isArray(b)) return false;
  if (isPlain(a) && isPlain(b)) return sameProperties(a, b);
  if (a instanceof Map) return b instanceof Map && sameMaps(a, b);
  if (a instanceof Set) return b instanceof Set && sameSets(a, b);
  if (a instanceof Date) return b instanceof Date && Object.is(a.getTime(), b.getTime());
  if (ArrayBuffer.isView(a)) return ArrayBuffer.isView(b) && sameBytes(a, b);
  if (b instanceof Map || b instanceof Set || b instanceof Date || ArrayBuffer.isView(b)) return false;
  return sameProperties(a, b);
}

const isPlain = (value: object): boolean => {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (!same(a[index], b[index])) return false;
  return true;
}

function sameProperties(a: object, b: object): boolean {
  let count = 0;
  for (const key in a) {
    if (!Object.hasOwn(a, key)) continue;
    if (!Object.hasOwn(b, key)) return false;
    if (!same(a[key as never], b[key as never])) return false;
    count++;
  }
  for (const key in b) if (Object.hasOwn(b, key)) count--;
  return count === 0;
}

function sameMaps(a: ReadonlyMap<unknown, unknown>, b: ReadonlyMap<unknown, unknown>): boolean {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) {
    const value = a.get(key);
    const other = b.get(key);
    if (other === undefined && !b.has(key) ? hasSame(b, [key, value]) : same(value, other)) continue;
    return false;
  }
  return true;
}

function sameSets(a: ReadonlySet<unknown>, b: ReadonlySet<unknown>): boolean {
  if (a.size !== b.size) return false;
  for (const element of a) if (!b.has(element) && !hasSame(b, element)) return false;
  return true;
}

/** For keys and elements that are objects of their own. */
function hasSame(among: Iterable<unknown>, wanted: unknown): boolean {
  for (const item of among) if (same(item, wanted)) return true;
  return false;
}

function sameBytes(a: ArrayBufferView, b: ArrayBufferView): boolean {
  if (a.byteLength !== b.byteLength) return false;
  const left = bytesOf(a);
  const right = bytesOf(b);
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false;
  return true;
}

/** Most are bytes already, and a view of a view costs more than to compare a few of them. */
const bytesOf = (view: ArrayBufferView): Uint8Array =>
  view instanceof Uint8Array ? view : new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
