import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { commonOptions } from "../config/common-options.ts";
import { messageOf, UsageError } from "../errors.ts";
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
  const path = resolve(cwd, named ?? join(out, "latest"));
  if (!existsSync(path)) {
    throw new UsageError(
      named === undefined
        ? `There is no run in ${resolve(cwd, out)} yet. Make one with harness lock, or name a run's folder.`
        : `There is no run at ${path}.`,
      { code: "NO_RUN" },
    );
  }
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : dirname(real);
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${messageOf(error)}`, { code: "NO_RUN", cause: error });
  }
}

/** Is this a file of a run folder, and not the folder? */
export const namesFile = (path: string): boolean => basename(path).includes(".json");
