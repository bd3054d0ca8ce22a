import type { ReporterContext } from "../harness/contracts/reporter.ts";

/** The run folder as its user would type it: from where the command was called, if it lies below. */
export function shownFolder({ folder, cwd }: Pick<ReporterContext, "folder" | "cwd">): string {
  const base = cwd === undefined || cwd.endsWith("/") ? cwd : `${cwd}/`;
  return base !== undefined && folder.startsWith(base) && folder.length > base.length
    ? folder.slice(base.length)
    : folder;
}
