import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { commonOptions } from "../config/common-options.ts";
import { messageOf, UsageError } from "../errors.ts";
import { PLAN_FILE, RESULT_FILE } from "../results/store.ts";
import { hintOfRuns } from "../results/stored-document.ts";
import type { Positional } from "./command.ts";

export const runFolderArgument: Positional = {
  name: "DIR",
  summary: "A run's folder; the latest run by default",
};

/**
 * The folder of a stored run: the one named (or the file in it that was named), else the latest. `latest` is resolved,
 * so that a run made meanwhile changes nothing.
 */
export function findRunFolder(
  named: string | undefined,
  { cwd, out = commonOptions.out.read(undefined) }: { cwd: string; out?: string },
): string {
  const path = placeOf(named ?? join(out, "latest"), { cwd, out });
  if (!existsSync(path)) {
    throw new UsageError(
      named === undefined
        ? `There is no run in ${resolve(cwd, out)} yet. Make one with harness lock, or name a run's folder.`
        : `There is no run at ${path}, nor one of that name in ${resolve(cwd, out)}.`,
      { code: "NO_RUN" },
    );
  }
  try {
    const real = realpathSync(path);
    if (!statSync(real).isDirectory()) return dirname(real);
    const hint = isRun(real) ? undefined : hintOfRuns(path);
    if (hint !== undefined) throw new UsageError(`${hint}.`, { code: "NO_RUN" });
    return real;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path} cannot be read: ${messageOf(error)}`, { code: "NO_RUN", cause: error });
  }
}

/** As it was named from the working directory, else by the name that it has in the folder for results, such as latest. */
function placeOf(named: string, { cwd, out }: { cwd: string; out: string }): string {
  const direct = resolve(cwd, named);
  const byName = resolve(cwd, out, named);
  return !existsSync(direct) && existsSync(byName) ? byName : direct;
}

const isRun = (folder: string): boolean => existsSync(join(folder, PLAN_FILE)) || existsSync(join(folder, RESULT_FILE));

/**
 * A path as it can still be used when there are other runs: without links such as `latest`, from the working directory
 * where it lies within it. What is not there stays as it was named.
 */
export function lastingPath(named: string, cwd: string): string {
  const path = resolve(cwd, named);
  if (!existsSync(path)) return named;
  const real = realpathSync(path);
  if (real === path) return named;
  const way = relative(realpathSync(cwd), real);
  return way === "" || way.startsWith("..") || isAbsolute(way) ? real : way;
}

/** Is this a file of a run folder, and not the folder? */
export const namesFile = (path: string): boolean => basename(path).includes(".json");
