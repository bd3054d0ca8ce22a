/**
 * A number that changes, but for one chance in four thousand million, when anything within the value changes. Sees what
 * `same` sees, and the order of keys besides. Cycles are not followed further than 100 levels.
 */
export function fingerprint(value: unknown): number {
  return mixValue(0x811c9dc5, value, 0) >>> 0;
}

const MAX_DEPTH = 100;
const double = new Float64Array(1);
const halves = new Int32Array(double.buffer);

const mix = (hash: number, word: number): number => {
  const product = Math.imul(hash ^ word, 0x01000193);
  return product ^ (product >>> 15);
};

function mixText(hash: number, text: string): number {
  let result = mix(hash, text.length);
  for (let index = 0; index < text.length; index++) result = mix(result, text.charCodeAt(index));
  return result;
}

function mixNumber(hash: number, value: number): number {
  double[0] = value;
  return mix(mix(hash, halves[0]!), halves[1]!);
}

function mixValue(hash: number, value: unknown, depth: number): number {
  switch (typeof value) {
    case "undefined":
      return mix(hash, 1);
    case "boolean":
      return mix(hash, value ? 2 : 3);
    case "number":
      return mixNumber(mix(hash, 4), value);
    case "string":
      return mixText(mix(hash, 5), value);
    case "bigint":
      return mixText(mix(hash, 6), value.toString());
    case "object":
      return value === null ? mix(hash, 7) : depth > MAX_DEPTH ? mix(hash, 8) : mixObject(hash, value, depth + 1);
    default:
      return mixText(mix(hash, 9), String(value));
  }
}

function mixObject(hash: number, value: object, depth: number): number {
  if (ArrayBuffer.isView(value)) return mixBytes(mix(hash, 10), value);
  if (value instanceof Date) return mixNumber(mix(hash, 11), value.getTime());
  if (Array.isArray(value)) {
    let result = mix(mix(hash, 12), value.length);
    for (const item of value) result = mixValue(result, item, depth);
    return result;
  }
  if (value instanceof Map) {
    let result = mix(mix(hash, 13), value.size);
    for (const [key, item] of value) result = mixValue(mixValue(result, key, depth), item, depth);
    return result;
  }
  if (value instanceof Set) {
    let result = mix(mix(hash, 14), value.size);
    for (const item of value) result = mixValue(result, item, depth);
    return result;
  }
  let result = mix(hash, 15);
  for (const key in value) {
    if (Object.hasOwn(value, key)) result = mixValue(mixText(result, key), value[key as never], depth);
  }
  return result;
}

/** Four at a time: messages of libraries are hundreds of bytes long. */
function mixBytes(hash: number, view: ArrayBufferView): number {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  const { length } = bytes;
  let result = mix(hash, length);
  let at = 0;
  for (; at + 4 <= length; at += 4) {
    result = mix(result, bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24));
  }
  for (; at < length; at++) result = mix(result, bytes[at]!);
  return result;
}
