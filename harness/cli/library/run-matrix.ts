import type { matrixOptions } from "../../config/matrix-options.ts";
import type { MatrixResult } from "../../results/matrix-schema.ts";
import type { Command } from "../command.ts";
import { command } from "../commands/matrix.ts";
import type { CodeSection, RunOptions } from "./code-options.ts";
import { resultOfCommand } from "./run-command.ts";

/** The options of `harness matrix`. */
export interface MatrixRunOptions extends RunOptions, CodeSection<typeof matrixOptions> {
  /** The redis-server or valkey-server to start. Default: on PATH, or a private copy. */
  readonly redisBin?: string | undefined;
}

/**
 * Runs `harness matrix`: locks x scenarios, and what holds.
 * Resolves with the table whatever broke. Rejects with `UsageError` or `UnavailableError` when it cannot start.
 */
export function runMatrix(given: MatrixRunOptions = {}): Promise<MatrixResult> {
  return resultOfCommand(command as unknown as Command, "matrix", { given, caller: "runMatrix" });
}
