import type { convergeOptions } from "../../config/converge-options.ts";
import type { ConvergeResult } from "../../results/converge-schema.ts";
import { convergeTable, makeConvergeRequest } from "../converge-request.ts";
import { recordConvergeRun } from "../pipelines/converge.ts";
import { runReporters } from "../reporters.ts";
import { codeIo } from "./code-io.ts";
import { type CodeSection, givenOptions, type RunOptions, resolveCode } from "./code-options.ts";
import { storedIn } from "./run-folder.ts";

/** The options of `harness converge`. */
export interface ConvergeRunOptions extends RunOptions, CodeSection<typeof convergeOptions> {}

/**
 * Runs `harness converge`: replicas through random schedules, or all short ones, judged after each step.
 * Resolves with the result whatever its status is. Rejects with `UsageError` for options that cannot be, and
 * `UnavailableError` when something needed is missing.
 */
export async function converge(given: ConvergeRunOptions = {}): Promise<ConvergeResult> {
  const { cwd } = givenOptions(given, "converge");
  const { options, file } = await resolveCode(convergeTable, given, { caller: "converge", section: "converge", cwd });
  const request = await makeConvergeRequest(options, { cwd, argv: ["converge"], file });
  const io = codeIo(given, { cwd, argv: request.argv });
  const { result, folder } = await recordConvergeRun(request, io);
  await runReporters(result, { reporters: request.reporters, folder: folder.path, json: false, io });
  return storedIn(result, folder.path);
}
