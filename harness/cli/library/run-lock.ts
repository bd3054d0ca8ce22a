import type { lockOptions } from "../../config/lock-options.ts";
import type { LockResult } from "../../results/lock-schema.ts";
import { lockTable, makeLockRequest } from "../lock-request.ts";
import { recordLockRun } from "../pipelines/lock.ts";
import { runReporters } from "../reporters.ts";
import { codeIo } from "./code-io.ts";
import { type CodeSection, givenOptions, type RunOptions, resolveCode } from "./code-options.ts";
import { storedIn } from "./run-folder.ts";

/** The options of `harness lock`. */
export interface LockRunOptions extends RunOptions, CodeSection<typeof lockOptions> {}

/**
 * Runs `harness lock`: the same jobs with and without the lock, on a real Redis, under the same faults.
 * Resolves with the result whatever its status is; `status` says whether the lock held.
 * Rejects with `UsageError` for options that cannot be, and `UnavailableError` when something needed is missing.
 */
export async function runLock(given: LockRunOptions = {}): Promise<LockResult> {
  const { cwd } = givenOptions(given, "runLock");
  const { options, file } = await resolveCode(lockTable, given, { caller: "runLock", section: "lock", cwd });
  const request = await makeLockRequest(options, { cwd, argv: ["lock"], file });
  const io = codeIo(given, { cwd, argv: request.argv });
  const { result, folder, brokeOff } = await recordLockRun(request, io);
  await runReporters(result, { reporters: request.reporters, folder: folder.path, json: false, io });
  if (brokeOff !== undefined) throw brokeOff;
  return storedIn(result, folder.path);
}
