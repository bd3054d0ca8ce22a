import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../package-root.ts";

/** Which build of harness this is. Commit and dirty are null outside of a checkout. */
export interface ToolFacts {
  version: string;
  commit: string | null;
  dirty: boolean | null;
}

export function version(): string {
  const manifest = JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8")) as { version: string };
  return manifest.version;
}

export function toolFacts(): ToolFacts {
  const root = packageRoot();
  // A package installed inside of somebody's repository has no commit of its own.
  const commit = existsSync(join(root, ".git")) ? git(root, "rev-parse", "HEAD") : undefined;
  if (commit === undefined) return { version: version(), commit: null, dirty: null };
  const status = git(root, "status", "--porcelain", "--untracked-files=no");
  return { version: version(), commit, dirty: status === undefined ? null : status !== "" };
}

function git(cwd: string, ...args: string[]): string | undefined {
  try {
    return execFileSync("git", args, {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 2_000,
    }).trim();
  } catch {
    return undefined;
  }
}
