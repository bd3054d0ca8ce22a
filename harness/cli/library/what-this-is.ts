/** A value that is not what was wanted, in words: `null`, `a string`, `a promise: await it`. */
export function whatThisIs(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== "object" && typeof value !== "function") return `a ${typeof value}`;
  if ("then" in value && typeof value.then === "function") return "a promise: await it";
  if (Array.isArray(value)) return "an array";
  return typeof value === "function" ? "a function" : "an object of another kind";
}
