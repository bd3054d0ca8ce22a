/**
 * Text for a state or a message, and back, without losing what JSON loses: undefined, NaN, -0, the infinities and bigint
 * come back as they were, and `__proto__` is a key like any other. Lists and plain objects only.
 */
export function encodeState(state: unknown): string {
  return JSON.stringify(isPlain(state) ? state : escaped(state));
}

/** @throws SyntaxError if the text is no JSON; TypeError if it uses an escape that `encodeState` never writes */
export function decodeState(text: string): unknown {
  const state: unknown = JSON.parse(text);
  return text.includes(`"${MARK}`) ? unescaped(state) : state;
}

/** Marks an escape. Keys that begin with it are doubled, so that no object is taken for an escape. */
const MARK = "$";

/** Whether JSON keeps all of it as it is. Most states are so, and a look at them is cheaper than a copy. */
function isPlain(value: unknown): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0);
    case "object":
      break;
    default:
      return false;
  }
  if (value === null) return true;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) if (!isPlain(value[index])) return false;
    return true;
  }
  for (const key in value) {
    if (key.startsWith(MARK) || !isPlain(value[key as never])) return false;
  }
  return true;
}

function escaped(value: unknown): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { $number: Object.is(value, -0) ? "-0" : `${value}` };
    case "bigint":
      return { $bigint: `${value}` };
    case "undefined":
      return { $undefined: 1 };
    case "object":
      break;
    default:
      throw new TypeError(`A ${typeof value} is no data and cannot be encoded.`);
  }
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(escaped);
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, part] of Object.entries(value)) copy[key.startsWith(MARK) ? MARK + key : key] = escaped(part);
  return copy;
}

function unescaped(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) value[index] = unescaped(value[index]);
    return value;
  }
  const entries = Object.entries(value);
  const [first] = entries;
  if (entries.length === 1 && first !== undefined && first[0].startsWith(MARK) && first[0][1] !== MARK) {
    return unescapeScalar(first[0], first[1]);
  }
  const object: Record<string, unknown> = {};
  for (const [key, part] of entries) define(object, key.startsWith(MARK) ? key.slice(1) : key, unescaped(part));
  return object;
}

function unescapeScalar(kind: string, text: unknown): unknown {
  if (kind === "$number") return Number(text);
  if (kind === "$bigint") return BigInt(String(text));
  if (kind === "$undefined") return undefined;
  throw new TypeError(`The escape ${kind} is unknown: the text was not written by encodeState.`);
}

/** A plain assignment to `__proto__` would change the prototype instead. */
function define(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}
