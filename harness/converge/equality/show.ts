import { ABSENT } from "../../contracts/crdt-adapter.ts";

const MAX_LENGTH = 2_000;

/**
 * A value as a reader would write it in JavaScript, with NaN, -0 and undefined told apart, keys in order. The same value
 * always gives the same text. Cut after 2,000 characters.
 */
export function show(value: unknown): string {
  const text = write(value, 0);
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}... (${text.length} characters)`;
}

const MAX_DEPTH = 12;

function write(value: unknown, depth: number): string {
  if (value === ABSENT) return "(absent)";
  if (Object.is(value, -0)) return "-0";
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null) return String(value);
  if (depth > MAX_DEPTH) return "...";
  return writeObject(value, depth + 1);
}

function writeObject(value: object, depth: number): string {
  const inner = (item: unknown) => write(item, depth);
  if (Array.isArray(value)) return `[${Array.from(value, inner).join(", ")}]`;
  if (value instanceof Set) return `Set[${Array.from(value, inner).join(", ")}]`;
  if (value instanceof Map) return `Map{${Array.from(value, ([k, v]) => `${inner(k)}: ${inner(v)}`).join(", ")}}`;
  if (value instanceof Date) return `Date(${value.getTime()})`;
  if (ArrayBuffer.isView(value)) {
    return `bytes(${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex")})`;
  }
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${writeKey(key)}: ${inner(value[key as never])}`).join(", ")}}`;
}

export const writeKey = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key));
