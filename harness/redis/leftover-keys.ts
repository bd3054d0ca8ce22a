import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtFile } from "../package-root.ts";
import type { Supervisor } from "../supervisor/parent.ts";

export interface LeftoverKeys {
  urls: readonly string[];
  keyPrefix: string;
  /** A folder of the run's own: addresses may hold passwords, and have no place on a command line. */
  folder: string;
  supervisor: Supervisor;
}

/**
 * Has the supervisor remove the run's keys from servers of somebody else, should this process be killed. Gives the function
 * that calls it off.
 */
export function removeKeysAfterDeath({ urls, keyPrefix, folder, supervisor }: LeftoverKeys): () => void {
  const file = join(folder, "external-servers.json");
  writeFileSync(file, JSON.stringify({ urls, keyPrefix }), { mode: 0o600 });
  const command = [process.execPath, builtFile("harness/redis/leftover-keys/entry.js"), file];
  supervisor.ownCommand(command);
  return () => {
    supervisor.disownCommand(command);
    rmSync(file, { force: true });
  };
}
