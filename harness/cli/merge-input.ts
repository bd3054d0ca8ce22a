import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { UsageError } from "../errors.ts";
import type { Result } from "../results/result-schema.ts";
import { RESULT_FILE, readResult } from "../results/store.ts";

/** A result that is to be merged, and where it is. */
export interface MergeInput<Kind extends Result["kind"] = Result["kind"]> {
  /** As it is shown. */
  source: string;
  /** Absolute path of the run folder. */
  folder: string;
  result: Extract<Result, { kind: Kind }>;
}

/** How deep below a named folder runs are looked for: `artifacts/part-3/harness-results/converge-.../`. */
const DEEPEST = 4;

/**
 * Reads the results to be merged: run folders, or folders that hold some, as they come from the artifacts of a CI.
 * @throws UsageError for a folder without results, and for results of different kinds
 */
export function readMergeInputs(named: readonly string[], cwd: string): MergeInput[] {
  const folders = named.flatMap((name) => {
    const found = runFoldersBelow(resolve(cwd, name), DEEPEST);
    if (found.length > 0) return found;
    throw new UsageError(`There is no result in ${resolve(cwd, name)}, nor in the folders below it.`, {
      code: "NO_RUN",
    });
  });
  const inputs = eachOnce(folders).map((folder): MergeInput => {
    return { source: relative(cwd, folder) || folder, folder, result: readResult(folder) };
  });
  const [first] = inputs;
  const other = inputs.find(({ result }) => result.kind !== first?.result.kind);
  if (first && other) {
    throw new UsageError(
      `${first.source} is a run of kind ${first.result.kind} and ${other.source} one of kind ${other.result.kind}: only results of one kind can be merged.`,
      { code: "BAD_SHARDS" },
    );
  }
  return inputs;
}

/** A run that is named by a link too, as in `shards/*`, where `latest` is one, counts once, by its own name. */
function eachOnce(folders: readonly string[]): string[] {
  const byPlace = new Map<string, string>();
  for (const folder of folders) {
    const place = realpathSync(folder);
    if (!byPlace.has(place) || lstatSync(byPlace.get(place) as string).isSymbolicLink()) byPlace.set(place, folder);
  }
  return [...byPlace.values()];
}

/** Links are not followed: `latest` is the same run once more. */
function runFoldersBelow(folder: string, depth: number): string[] {
  if (!existsSync(folder)) return [];
  if (!statSync(folder).isDirectory()) return [];
  if (existsSync(join(folder, RESULT_FILE))) return [folder];
  if (depth === 0) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => runFoldersBelow(join(folder, entry.name), depth - 1));
}
