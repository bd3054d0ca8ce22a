import { existsSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { UsageError } from "../errors.ts";
import type { Result } from "../results/result-schema.ts";
import { RESULT_FILE, readResult } from "../results/store.ts";

export interface FoundResult {
  result: Exclude<Result, { kind: "compare" }>;
  /** What people call it: as it was named, `latest` by the folder that it is. */
  label: string;
}

/**
 * A stored result to compare: a run's folder, a result file, the name of a run in the folder for results, or `latest`,
 * the newest run there that is no comparison itself.
 */
export function findResult(named: string, { cwd, out }: { cwd: string; out: string }): FoundResult {
  const path = placeOf(named, { cwd, out });
  const result = readResult(path);
  if (result.kind === "compare")
    throw new UsageError(`${named} is a comparison already; compare its runs, not itself.`, { code: "IMPOSSIBLE" });
  return { result, label: labelOf(named, path) };
}

function placeOf(named: string, { cwd, out }: { cwd: string; out: string }): string {
  const direct = resolve(cwd, named);
  if (existsSync(direct)) return direct;
  if (named === "latest") return newestRun(resolve(cwd, out));
  const byName = resolve(cwd, out, named);
  if (existsSync(byName)) return byName;
  throw new UsageError(`There is no result at ${direct}: name a run's folder, a ${RESULT_FILE}, or latest.`, {
    code: "NO_RESULT",
  });
}

/** The newest run of these kinds that has a result, by the time in their names. */
export function newestOf(folder: string, isKind: (kind: string) => boolean): string | undefined {
  const time = (name: string) => /-(\d{8}T\d{6}Z)-/.exec(name)?.[1] ?? "";
  const runs = (existsSync(folder) ? readdirSync(folder) : [])
    .filter(
      (name) => time(name) !== "" && isKind(name.split("-")[0] ?? "") && existsSync(join(folder, name, RESULT_FILE)),
    )
    .sort((a, b) => (time(a) < time(b) ? -1 : 1));
  const newest = runs.at(-1);
  return newest === undefined ? undefined : join(folder, newest);
}

function newestRun(folder: string): string {
  const newest = newestOf(folder, (kind) => kind !== "compare");
  if (newest !== undefined) return newest;
  throw new UsageError(`There is no run in ${folder} yet. Make one with harness lock, or name a run's folder.`, {
    code: "NO_RUN",
  });
}

function labelOf(named: string, path: string): string {
  if (!/(^|[/\\])latest[/\\]?$/.test(named)) return named;
  const real = realpathSync(path);
  return basename(real) === RESULT_FILE ? basename(dirname(real)) : basename(real);
}
