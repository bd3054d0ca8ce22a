import { commonOptions } from "../../config/common-options.ts";
import { baseFolder } from "../../config/config-file.ts";
import { readResult } from "../../results/store.ts";
import { defineCommand } from "../command.ts";
import { loadReporters, runReporters } from "../reporters.ts";
import { findRunFolder, runFolderArgument } from "../stored-run.ts";

const { out, json, reporter, config, color } = commonOptions;

export const command = defineCommand({
  name: "report",
  summary: "Makes the reports of a stored run again",
  positionals: [runFolderArgument],
  options: { out, json, reporter, config, color },
  section: "report",
  examples: [
    { command: "report", does: "the latest run: on the terminal, and report.html in its folder" },
    { command: "report harness-results/latest --reporter markdown,junit", does: "other reports of a run" },
  ],
  async run({ options: { values, origins }, positionals: [named], file }, io) {
    const folder = findRunFolder(named, { cwd: io.cwd, out: values.out });
    const reporters = await loadReporters(values.reporter, baseFolder(origins.reporter, file, io.cwd));
    await runReporters(readResult(folder), { reporters, folder, json: values.json, io });
    return 0;
  },
});
