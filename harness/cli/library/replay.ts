import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Counterexample } from "../../converge/counterexample/counterexample.ts";
import { parseReplayFile, type ReplayFile } from "../../converge/replay/replay-file.ts";
import { type RunReplayOptions, runReplay } from "../../converge/replay/run-replay.ts";
import { messageOf, UsageError } from "../../errors.ts";
import { findWorkload } from "../workloads.ts";
import { givenOptions } from "./code-options.ts";
import { whatThisIs } from "./what-this-is.ts";

/** What came of a counterexample that was run again. */
export interface Replayed {
  /** Undefined: the schedule does not fail any more. */
  failure: Counterexample | undefined;
}

export interface ReplayOptions extends RunReplayOptions {
  /** What relative paths count from. Default: the working directory. */
  cwd?: string;
}

/**
 * Runs a counterexample of `converge` again, against the type as it is now: what `--emit-test` writes calls this.
 * @param counterexample its content, or where its file lies
 * @throws UsageError when it is torn or of another version, or its type is not there any more
 */
export async function replay(counterexample: ReplayFile | string | URL, given: ReplayOptions = {}): Promise<Replayed> {
  const { cwd } = givenOptions(given, "replay");
  const { cwd: _, ...options } = given;
  const stored = read(counterexample, cwd);
  const { argument, options: own } = stored.crdt;
  const { ref } = findWorkload("crdt", argument, cwd);
  const told = await runReplay({ ...ref, argument, ...(own === undefined ? {} : { options: own }) }, stored, options);
  return { failure: told.oracle === "" ? undefined : told };
}

function read(counterexample: ReplayFile | string | URL, cwd: string): ReplayFile {
  if (isContent(counterexample)) {
    return parseReplayFile(JSON.stringify(counterexample), "The counterexample");
  }
  if (typeof counterexample !== "string" && !(counterexample instanceof URL)) {
    throw new UsageError(
      `replay takes a counterexample, or where its file lies; this is ${whatThisIs(counterexample)}.`,
      {
        code: "BAD_VALUE",
      },
    );
  }
  const path = counterexample instanceof URL ? fileURLToPath(counterexample) : resolve(cwd, counterexample);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`The counterexample ${path} cannot be read: ${messageOf(error)}`, { code: "NO_FILE" });
  }
  return parseReplayFile(text, path);
}

const isContent = (value: unknown): value is ReplayFile =>
  typeof value === "object" && value !== null && !(value instanceof URL) && !("then" in value);
