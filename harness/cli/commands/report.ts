import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { commonOptions } from "../../config/common-options.ts";
import { baseFolder } from "../../config/config-file.ts";
import { option } from "../../config/option.ts";
import { text } from "../../config/value-types.ts";
import { messageOf, UsageError } from "../../errors.ts";
import { withKnownLength } from "../../results/known-length.ts";
import { readResult } from "../../results/store.ts";
import { defineCommand } from "../command.ts";
import { loadReporters, runReporters } from "../reporters.ts";
import { findRunFolder, runFolderArgument } from "../stored-run.ts";

const { out, json, reporter, config, printConfig, color } = commonOptions;

export const command = defineCommand({
  name: "report",
  summary: "Makes the reports of stored runs again",
  positionals: [{ ...runFolderArgument, many: true }],
  options: {
    bundle: option({
      group: "Output and configuration",
      type: text("FILE"),
      summary: "One HTML file with the reports of all these runs, instead of a report in each folder",
    }),
    ...{ out, json, reporter, config, printConfig, color },
  },
  section: "report",
  examples: [
    { command: "report", does: "the latest run: on the terminal, and report.html in its folder" },
    { command: "report harness-results/latest --reporter markdown,junit", does: "other reports of a run" },
    {
      command: "report harness-results/latest --bundle all.html",
      does: "several runs in one HTML file, as CI keeps it",
    },
  ],
  async run({ options: { values, origins }, positionals, file }, io) {
    const named = positionals.length === 0 ? [undefined] : positionals;
    const folders = named.map((one) => findRunFolder(one, { cwd: io.cwd, out: values.out }));
    const results = await Promise.all(folders.map((folder) => withKnownLength(readResult(folder), folder)));
    if (values.bundle !== undefined) {
      const { htmlBundle } = await import("../html-bundle.ts");
      const path = resolve(io.cwd, values.bundle);
      try {
        writeFileSync(path, await htmlBundle(results, folders, io));
      } catch (error) {
        throw new UsageError(`--bundle ${values.bundle} cannot be written: ${messageOf(error)}`, {
          code: "NOT_WRITABLE",
        });
      }
      io.stdout(`${path}\n`);
      return 0;
    }
    if (values.json && results.length > 1)
      throw new UsageError("--json prints one document: name one run.", { code: "IMPOSSIBLE" });
    const reporters = await loadReporters(values.reporter, baseFolder(origins.reporter, file, io.cwd));
    for (const [index, result] of results.entries())
      await runReporters(result, { reporters, folder: folders[index] ?? "", json: values.json, io });
    return 0;
  },
});
