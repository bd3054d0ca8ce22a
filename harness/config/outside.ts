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
    throw new UsageError(`--out ${folder}: ${nearest} cannot be written to${whose(nearest)}. Name a folder that can.`, {
      code: "UNWRITABLE_OUT",
      cause: error,
    });
  }
}

/** Whose the folder is, where that is the reason; in a container the numbers are all there is to go by. */
function whose(folder: string): string {
  const [owner, self] = [statSync(folder).uid, process.getuid?.()];
  return self === undefined || owner === self ? "" : `: it belongs to user ${owner}, and this process is user ${self}`;
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}
