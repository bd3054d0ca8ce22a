import { commonOptions } from "../../config/common-options.ts";
import { absolutePath, baseFolder } from "../../config/config-file.ts";
import { refuseUnwritable } from "../../config/outside.ts";
import { redactArgv } from "../../config/redact.ts";
import { defineCommand } from "../command.ts";
import { readMergeInputs } from "../merge-input.ts";
import { loadReporters } from "../reporters.ts";

const { out, json, reporter, config, printConfig, color } = commonOptions;

export const command = defineCommand({
  name: "merge",
  summary: "Joins the results of shards into one result with its reports",
  positionals: [
    {
      name: "DIR",
      summary: "Run folders, or folders that hold some: each part of the whole once",
      required: true,
      many: true,
    },
  ],
  options: { out, json, reporter, config, printConfig, color },
  section: "merge",
  examples: [
    { command: "merge part-1 part-2 part-3", does: "three parts, run with --shard 1/3 to 3/3 and one --seed" },
    { command: "merge artifacts --reporter terminal,markdown", does: "every part that a CI has collected in a folder" },
  ],
  async run({ options: { values, origins }, positionals, file }, io) {
    const inputs = readMergeInputs(positionals, io.cwd);
    const outFolder = absolutePath(baseFolder(origins.out, file, io.cwd), values.out);
    refuseUnwritable(outFolder);
    const reporters = await loadReporters(values.reporter, baseFolder(origins.reporter, file, io.cwd));
    const { mergeResults } = await import("../pipelines/merge/merge.ts");
    return await mergeResults(inputs, { argv: redactArgv(io.argv), outFolder, reporters, json: values.json }, io);
  },
});
