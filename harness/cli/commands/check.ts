import { writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { commonOptions } from "../../config/common-options.ts";
import { baseFolder } from "../../config/config-file.ts";
import { flag } from "../../config/option.ts";
import { UsageError } from "../../errors.ts";
import { faultNamed } from "../../faults/registry.ts";
import type { LockResult } from "../../results/lock-schema.ts";
import type { MatrixResult } from "../../results/matrix-schema.ts";
import { recheck } from "../../results/recheck.ts";
import { RESULT_FILE, readResult, resultText } from "../../results/store.ts";
import { defineCommand } from "../command.ts";
import { newestOf } from "../find-result.ts";
import type { CommandIo } from "../io.ts";
import { exitCodeOf } from "../pipelines/exit-code.ts";
import { loadReporters, runReporters } from "../reporters.ts";
import { findRunFolder, runFolderArgument } from "../stored-run.ts";

const { out, json, reporter, config, printConfig, color } = commonOptions;

export const command = defineCommand({
  name: "check",
  summary: "Checks a stored history again, without a new run",
  positionals: [runFolderArgument],
  options: {
    write: flag({ group: "Output and configuration", summary: "Store the new result and its reports in the folder" }),
    ...{ out, json, reporter, config, printConfig, color },
  },
  section: "check",
  examples: [
    { command: "check", does: "the latest run; the exit code is that of its status" },
    { command: "check harness-results/latest --write", does: "and the new result takes the place of the old one" },
  ],
  async run({ options: { values, origins }, positionals: [named], file }, io) {
    const folder = runToCheck(named, { out: values.out, io });
    const names = values.write ? values.reporter : values.reporter.filter((name) => name === "terminal");
    const reporters = await loadReporters(names, baseFolder(origins.reporter, file, io.cwd));
    const result = await recheckAny(folder, io);
    if (values.write) writeFileSync(join(folder, RESULT_FILE), resultText(result));
    await runReporters(result, { reporters, folder, json: values.json, io });
    return exitCodeOf(result.status);
  },
});

/**
 * The folder that was named, else the latest run. Where that one has no history, a comparison for instance, the newest
 * that has one, and it is said.
 */
function runToCheck(named: string | undefined, { out: folder, io }: { out: string; io: CommandIo }): string {
  const found = findRunFolder(named, { cwd: io.cwd, out: folder });
  const { kind } = readResult(found);
  if (kind === "lock" || kind === "matrix") return found;
  const other = newestOf(resolve(io.cwd, folder), (one) => one === "lock" || one === "matrix");
  const what = `${basename(found)} is a run of kind ${kind}, which has no history to check`;
  if (named !== undefined || other === undefined) {
    const next = other === undefined ? "Make a run that has one with harness lock" : `Name another, such as ${other}`;
    throw new UsageError(`${what}. ${next}.`, { code: "NO_HISTORY" });
  }
  io.stderr(`${what}: ${basename(other)} is checked, the newest that has one.\n`);
  return other;
}

/** A lock run from its history, a matrix from those of its cells. */
async function recheckAny(folder: string, io: CommandIo): Promise<LockResult | MatrixResult> {
  if (readResult(folder).kind === "matrix") {
    const { recheckMatrix } = await import("../recheck-matrix.ts");
    return await recheckMatrix(folder);
  }
  const { result, run } = await recheck(folder, {
    lookOf: (name) => faultNamed(name)?.look ?? { colour: "network", pattern: "solid" },
  });
  for (const { file: torn, line } of run.torn)
    io.stderr(`The last line of ${torn} (line ${line}) is torn: its process was killed.\n`);
  return result;
}
