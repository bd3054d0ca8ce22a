import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { UsageError } from "../errors.ts";

/** Refuses a results folder that could not be made or written to. Makes nothing. */
export function refuseUnwritable(folder: string): void {
  const nearest = nearestExisting(folder);
  if (!statSync(nearest).isDirectory()) {
    throw new UsageError(`--out ${folder}: ${nearest} is a file, not a folder.`, { code: "UNWRITABLE_OUT" });
  }
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new UsageError(`--out ${folder}: ${nearest} cannot be written to. Name a folder that can.`, {
      code: "UNWRITABLE_OUT",
      cause: error,
    });
  }
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}
