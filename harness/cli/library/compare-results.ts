import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { compareOptions } from "../../config/compare-options.ts";
import { UsageError } from "../../errors.ts";
import type { CompareResult } from "../../results/compare-schema.ts";
import type { Result } from "../../results/result-schema.ts";
import { resultText } from "../../results/store.ts";
import type { Command } from "../command.ts";
import { command } from "../commands/compare.ts";
import { type CodeSection, givenOptions, type RunOptions } from "./code-options.ts";
import { resultOfCommand } from "./run-command.ts";
import { runFolder } from "./run-folder.ts";
import { whatThisIs } from "./what-this-is.ts";

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
  givenOptions(given, "compare");
  const sides = [base, head].map((side) => (typeof side === "string" ? side : comparedResult(side)));
  const folder = mkdtempSync(join(tmpdir(), "holdfast-compare-"));
  try {
    const positionals = sides.map((side, index) => sideText(side, join(folder, `${index}.json`)));
    return await resultOfCommand(command as unknown as Command, "compare", { given, positionals, caller: "compare" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The kind is looked at by the command, which says which ones can be compared. */
function comparedResult(side: unknown): Result {
  const { kind } = (side ?? {}) as { kind?: unknown };
  if (typeof kind === "string") return side as Result;
  throw new UsageError(`compare takes two results, or the folders of two runs; this is ${whatThisIs(side)}.`, {
    code: "BAD_RESULT",
  });
}

/** Where the command finds it: a result of this process lies in its folder; another is written to `file`. */
function sideText(side: ComparedSide, file: string): string {
  if (typeof side === "string") return side;
  const folder = runFolder(side);
  if (folder !== undefined) return folder;
  writeFileSync(file, resultText(side));
  return file;
}
