import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { compareOptions } from "../../config/compare-options.ts";
import type { CompareResult } from "../../results/compare-schema.ts";
import type { Result } from "../../results/result-schema.ts";
import { resultText } from "../../results/store.ts";
import type { Command } from "../command.ts";
import { command } from "../commands/compare.ts";
import type { CodeSection, RunOptions } from "./code-options.ts";
import { resultOfCommand } from "./run-command.ts";
import { runFolder } from "./run-folder.ts";

/** The options of `harness compare`. */
export interface CompareRunOptions extends RunOptions, Omit<CodeSection<typeof compareOptions>, "threshold"> {
  /** Metric -> per cent: `{ p99: 15, "acquire.p50": 8 }`. */
  readonly thresholds?: Readonly<Record<string, number | string>> | undefined;
}

/** A result, or what `harness compare` takes: a run's folder, a result.json, `latest`; with `run`, what to run. */
export type ComparedSide = Result | string;

/**
 * Compares two results as `harness compare` does, or runs two configurations in turns (`run: true`).
 * Resolves with the comparison whatever its verdict is. Rejects with `UsageError` where two results are not comparable.
 */
export async function compare(
  base: ComparedSide,
  head: ComparedSide,
  given: CompareRunOptions = {},
): Promise<CompareResult> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-compare-"));
  try {
    const positionals = [sideText(base, join(folder, "base.json")), sideText(head, join(folder, "head.json"))];
    return await resultOfCommand(command as unknown as Command, "compare", { given, positionals, caller: "compare" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Where the command finds it: a result of this process lies in its folder; another is written to `file`. */
function sideText(side: ComparedSide, file: string): string {
  if (typeof side === "string") return side;
  const folder = runFolder(side);
  if (folder !== undefined) return folder;
  writeFileSync(file, resultText(side));
  return file;
}
