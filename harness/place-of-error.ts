import { spawnSync } from "node:child_process";

/**
 * Where in the module an error arose: `line 2`; undefined where nothing says so.
 * The column is left out, since that of a translated module is not the user's.
 * Of a syntax error in an ES module only Node's own command tells the line, and so it is asked.
 */
export function placeOfError(error: unknown, path: string): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return placeIn(error.stack ?? "", path) ?? (error.name === "SyntaxError" ? placeIn(checked(path), path) : undefined);
}

function checked(path: string): string {
  return spawnSync(process.execPath, ["--check", path], { encoding: "utf8", timeout: 5_000 }).stderr ?? "";
}

function placeIn(text: string, path: string): string | undefined {
  const line = text.split(path).flatMap((rest) => /^:(\d+)/.exec(rest)?.[1] ?? [])[0];
  return line === undefined ? undefined : `line ${line}`;
}
