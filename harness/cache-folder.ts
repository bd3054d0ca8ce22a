import { accessSync, constants, lstatSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * The folder for what is fetched once and used by later runs: $HOLDFAST_CACHE, else $XDG_CACHE_HOME/holdfast, else
 * ~/.cache/holdfast; where that cannot be written, a folder in the temporary folder that only this user can write.
 */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env, temporary: string = tmpdir()): string {
  const lasting = lastingCacheFolder(env);
  if (lasting !== undefined) return lasting;
  const own = join(temporary, `holdfast-cache-${process.getuid?.() ?? "user"}`);
  // Programs are run from it: one that somebody else made, or can write, must not be used.
  return isWritable(own) && isOurs(own) ? own : mkdtempSync(join(temporary, "holdfast-cache-"));
}

/** The same for what can be made again quickly: undefined where only a temporary folder could be written. */
export function lastingCacheFolder(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const wanted = wantedFolder(env);
  return wanted !== undefined && isWritable(wanted) ? wanted : undefined;
}

function wantedFolder(env: NodeJS.ProcessEnv): string | undefined {
  if (env.HOLDFAST_CACHE) return env.HOLDFAST_CACHE;
  if (env.XDG_CACHE_HOME?.startsWith("/")) return join(env.XDG_CACHE_HOME, "holdfast");
  return env.HOME ? join(env.HOME, ".cache/holdfast") : undefined;
}

function isWritable(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isOurs(folder: string): boolean {
  const stat = lstatSync(folder);
  return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0;
}
