import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { commonOptions } from "../../config/common-options.ts";
import { didYouMean } from "../../config/nearest.ts";
import { listOption, option } from "../../config/option.ts";
import { text } from "../../config/value-types.ts";
import { messageOf, UsageError } from "../../errors.ts";
import { exportFormats } from "../../history/export/registry.ts";
import { readStoredHistory } from "../../history/stored.ts";
import { defineCommand } from "../command.ts";
import { findRunFolder, runFolderArgument } from "../stored-run.ts";

const group = "Export";
const names = exportFormats.map(({ name }) => name);

export const command = defineCommand({
  name: "export",
  summary: `Writes a stored history in other forms: ${exportFormats.map(({ name, summary }) => `${name} (${summary})`).join("; ")}`,
  positionals: [runFolderArgument],
  options: {
    format: listOption({
      group,
      type: text(names.join("|")),
      default: ["csv"],
      examples: ["csv", "jepsen"],
      summary: "Forms to write",
    }),
    to: option({
      group,
      type: text("DIR"),
      whenAbsent: "the run's folder",
      summary: "Folder to write to",
    }),
    out: commonOptions.out,
    config: commonOptions.config,
    printConfig: commonOptions.printConfig,
  },
  section: "export",
  examples: [
    { command: "export", does: "the latest run's history as history.csv in its folder" },
    { command: "export harness-results/latest --format jepsen,binary --to .", does: "two forms, into this folder" },
  ],
  async run({ options: { values }, positionals: [named] }, io) {
    const wanted = values.format.map((name) => {
      const format = exportFormats.find((one) => one.name === name);
      if (!format) throw new UsageError(`--format ${name}: there is no such form.${didYouMean(name, names)}`);
      return format;
    });
    const folder = findRunFolder(named, { cwd: io.cwd, out: values.out });
    const { armRounds, header, torn } = await readStoredHistory(folder);
    for (const { file, line } of torn) io.stderr(`The last line of ${file} (line ${line}) is torn, and is left out.\n`);
    const events = armRounds.flatMap((armRound) => armRound.events);
    for (const format of wanted) {
      const file = join(resolve(io.cwd, values.to ?? folder), format.file);
      try {
        writeFileSync(file, format.write({ header, events }));
      } catch (error) {
        throw new UsageError(`${file} cannot be written: ${messageOf(error)}.`, { code: "UNWRITABLE", cause: error });
      }
      io.stdout(`${file}\n`);
    }
    return 0;
  },
});
