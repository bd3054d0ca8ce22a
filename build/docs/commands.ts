import type { Command } from "../../harness/cli/command.ts";
import { commandIndex } from "../../harness/cli/commands/index.ts";
import { commonOptions } from "../../harness/config/common-options.ts";
import { flagText, type OptionData, variableName } from "../../harness/config/option.ts";
import { code, page, sentence, table } from "./markdown.ts";

/** Every command with its arguments, options and examples. */
export async function commandsPage(): Promise<string> {
  const commands: Command[] = [];
  // One after the other: jiti hands out modules half made when several ask for them at once.
  for (const entry of commandIndex) commands.push(await entry.load());
  return page(
    "Commands",
    "What each command takes. `harness COMMAND --help` says the same on the terminal. Every option has three names: the flag, " +
      "the variable, and the key of the configuration file, which is the flag in camel case (`--job-time`, `HARNESS_JOB_TIME`, " +
      "`jobTime`). A flag goes before a variable, that before the file, that before the default; " +
      "[configuration.md](../configuration.md) has more.",
    [...commands.map(section), common()],
  );
}

function section(command: Command): string {
  const { name, summary, positionals = [], options, examples } = command;
  const words = positionals.map(({ name: word, required, many }) =>
    required ? `${word}${many ? "..." : ""}` : `[${word}${many ? "..." : ""}]`,
  );
  const own = Object.entries(options).filter(([key]) => !(key in commonOptions) || command.section === undefined);
  const takesCommon = command.section !== undefined && Object.keys(commonOptions).every((key) => key in options);
  return [
    `## harness ${name}`,
    sentence(summary),
    `\`\`\`text\nharness ${[name, ...words, "[options]"].join(" ")}\n\`\`\``,
    ...(positionals.length === 0
      ? []
      : [
          table(
            ["argument", "what it is"],
            positionals.map(({ name: word, summary: meaning, choices }) => [
              code(word),
              choices ? `${meaning}: ${choices.map(code).join(", ")}` : meaning,
            ]),
          ),
        ]),
    ...(own.length === 0 ? [] : [optionTable(own)]),
    ...(takesCommon ? ["And the [options that all of them take](#options-of-every-command)."] : []),
    `Examples:\n\n${examples.map(({ command: example, does }) => `- ${code(`harness ${example}`)}: ${does}`).join("\n")}`,
  ].join("\n\n");
}

const common = (): string =>
  [
    "## Options of every command",
    "Those that run something take these as well; in a configuration file they stand at the top.",
    optionTable(Object.entries(commonOptions)),
  ].join("\n\n");

function optionTable(options: readonly (readonly [string, OptionData])[]): string {
  return table(
    ["flag", "variable", "default", "what it does"],
    options.map(([key, option]) => [
      code(option.boolean ? flagText(key, option) : `${flagText(key, option)} ${option.argument ?? "VALUE"}`),
      code(variableName(key)),
      defaultOf(option),
      meaningOf(option),
    ]),
  );
}

function defaultOf({ default: preset, whenAbsent, boolean }: OptionData): string {
  if (boolean) return "";
  if (preset !== undefined) return code([preset].flat().join(","));
  return whenAbsent ?? "";
}

function meaningOf({ summary, repeatable, examples = [] }: OptionData): string {
  const notes = [
    ...(repeatable ? ["repeatable"] : []),
    ...(examples.length > 0 ? [`such as ${examples.map(code).join(" or ")}`] : []),
  ];
  return notes.length === 0 ? summary : `${summary} (${notes.join("; ")})`;
}
