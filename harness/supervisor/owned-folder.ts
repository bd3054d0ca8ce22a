import { randomBytes } from "node:crypto";
import { mkdirSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Supervisor } from "./parent.ts";

/**
 * A new temporary folder, readable by this user only, that never outlives the run: it is in the supervisor's charge
 * before it exists.
 */
export function makeOwnedFolder(supervisor: Supervisor, prefix = "holdfast-"): string {
  const folder = join(realpathSync(tmpdir()), `${prefix}${randomBytes(6).toString("hex")}`);
  supervisor.ownFolder(folder);
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}
