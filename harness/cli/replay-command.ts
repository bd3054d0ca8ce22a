import { flagName, type OptionTable } from "../config/option.ts";
import { redactValues } from "../config/redact.ts";
import type { Resolved } from "../config/resolve.ts";

/** Options that say what is printed, or who does it, not what is done. */
const aboutOutput = new Set([
  "out",
  "json",
  "reporter",
  "config",
  "printConfig",
  "dryRun",
  "quiet",
  "color",
  "agents",
  "shards",
  "agentQueue",
  "emitTest",
  "remoteWorkers",
  "joinHost",
  "joinPort",
  "joinToken",
]);

/**
 * The command that does the same again, ready to paste where the package is installed in a project: every value that
 * differs from its default, wherever it came from.
 * @param decided values that were drawn or derived, such as the seed
 */
export function replayCommand<Table extends OptionTable>(
  command: string,
  table: Table,
  { texts, origins }: Resolved<Table>,
  decided: Readonly<Record<string, string | number>> = {},
): string {
  const words = ["npx harness", command];
  for (const [key, option] of Object.entries(table)) {
    // What a preset gave comes again with --preset.
    const kind = origins[key]?.kind ?? "default";
    if (aboutOutput.has(key) || key in decided || kind === "default" || kind === "preset") continue;
    for (const text of redactValues(key, texts[key] ?? [])) {
      if (option.boolean) words.push(text === "false" ? `--no-${flagName(key)}` : `--${flagName(key)}`);
      else words.push(`--${flagName(key)}`, shellQuote(text));
    }
  }
  for (const [key, value] of Object.entries(decided)) words.push(`--${flagName(key)}`, shellQuote(String(value)));
  return words.join(" ");
}

/** Quotes for POSIX shells, and only where it is needed. */
export const shellQuote = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
