import { flagText, type OptionData, variableName } from "../config/option.ts";
import type { Command, Positional } from "./command.ts";
import { columnOf, type Row, table } from "./table.ts";
import { wrap } from "./wrap.ts";

/** The help of one command, from its data. */
export function formatHelp(command: Command, width: number): string {
  const { positionals = [], examples } = command;
  const sections = [{ title: "Arguments", rows: positionals.map(positionalRow) }, ...optionSections(command)];
  const column = columnOf(sections.flatMap(({ rows }) => rows));
  const lines = [
    ...wrap(`${command.summary}.`, width),
    "",
    `Usage: harness ${[command.name, ...positionals.map(positionalText)].join(" ")} [options]`,
    ...sections.flatMap(({ title, rows }) =>
      rows.length === 0 ? [] : ["", `${title}:`, ...table(rows, width, column)],
    ),
    "",
    "Examples:",
    ...examples.flatMap(({ command: example, does }) => [`  harness ${example}`, `      ${does}`]),
    ...configurationHint(command, width),
  ];
  return `${lines.join("\n")}\n`;
}

function optionSections(command: Command): { title: string; rows: Row[] }[] {
  const sections = new Map<string, Row[]>();
  for (const [key, option] of Object.entries(command.options)) {
    sections.set(option.group, [...(sections.get(option.group) ?? []), [optionText(key, option), explanation(option)]]);
  }
  return [...sections].map(([title, rows]) => ({ title, rows }));
}

const optionText = (key: string, option: OptionData): string =>
  option.boolean ? flagText(key, option) : `${flagText(key, option)} ${option.argument ?? "VALUE"}`;

function explanation({ summary, default: preset, whenAbsent, examples = [], repeatable, boolean }: OptionData): string {
  const notes: string[] = [];
  if (repeatable) notes.push("repeatable");
  if (!boolean && preset !== undefined)
    notes.push(`default: ${typeof preset === "string" ? preset : preset.join(",")}`);
  else if (whenAbsent !== undefined) notes.push(`default: ${whenAbsent}`);
  if (examples.length > 0) notes.push(`such as ${examples.join(" or ")}`);
  return notes.length === 0 ? summary : `${summary} (${notes.join("; ")})`;
}

const positionalRow = ({ name, summary, choices }: Positional): Row => [
  name,
  choices ? `${summary}: ${choices.join(", ")}` : summary,
];

function positionalText({ name, required, many }: Positional): string {
  const text = many ? `${name}...` : name;
  return required ? text : `[${text}]`;
}

function configurationHint({ section, options }: Command, width: number): string[] {
  const [anyKey] = Object.keys(options);
  if (section === undefined || anyKey === undefined) return [];
  const text =
    `Every option has a variable (${variableName(anyKey)}) and a key in harness.config.ts; a flag goes before a variable, ` +
    "that before the file. --print-config shows each value and where it comes from.";
  return ["", ...wrap(text, width)];
}
