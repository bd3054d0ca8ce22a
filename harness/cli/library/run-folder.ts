import type { Result } from "../../results/result-schema.ts";

const folders = new WeakMap<object, string>();

/** Remembers where a result was stored. Gives the result. */
export function storedIn<Stored extends Result>(result: Stored, folder: string): Stored {
  folders.set(result, folder);
  return result;
}

/**
 * The folder of a run, absolute: plan.json, history.ndjson, result.json, report.html.
 * Undefined for a result that was not made by this process.
 */
export function runFolder(result: Result): string | undefined {
  return folders.get(result);
}
