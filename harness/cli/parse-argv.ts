import yargs from "yargs";
import { didYouMean } from "../config/nearest.ts";
import { flagName, type OptionTable } from "../config/option.ts";
import { UsageError } from "../errors.ts";
import type { Command } from "./command.ts";

export interface ParsedArgv {
  /** One text for each time that a flag was given, by the option's key. */
  flags: Readonly<Record<string, readonly string[] | undefined>>;
  positionals: readonly string[];
}

/** Reads the arguments of one command. Throws `UsageError` for unknown flags, with the nearest, and missing values. */
export function parseArgv(command: Command, argv: readonly string[]): ParsedArgv {
  const parsed = read(command, argv.map(shield));
  const { _: positionals, $0: _script, ...found } = parsed;
  const keys = new Map(Object.keys(command.options).map((key) => [flagName(key), key]));
  const flags: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(found)) {
    const key = keys.get(name);
    // `--no-ttl` would be read as "false": only options without a value can be turned off.
    if (key === undefined || (value === false && !command.options[key]?.boolean)) refuseUnknown(name, argv, command);
    flags[key] = (Array.isArray(value) ? value : [value]).map(String).map(unshield);
  }
  const words = positionals.map(String).map(unshield);
  refuseMisplaced(command, words);
  return { flags, positionals: words };
}

/**
 * Options in quotes, such as the sides of a comparison (`'--lock set-nx --ttl 2s'`), are one word that begins like an
 * option and is none: no option has a blank in its name.
 */
const shield = (word: string): string => (/^--?[a-z][\w-]*\s/i.test(word) ? `${quoted}${word}` : word);
const unshield = (word: string): string => (word.startsWith(quoted) ? word.slice(quoted.length) : word);
const quoted = "quoted:";

function read(
  command: Command,
  argv: readonly string[],
): Record<string, unknown> & { _: (string | number)[]; $0: string } {
  let problem: string | undefined;
  const parser = yargs()
    .help(false)
    .version(false)
    .detectLocale(false)
    .exitProcess(false)
    .parserConfiguration({
      "camel-case-expansion": false,
      "dot-notation": false,
      "parse-numbers": false,
      "parse-positional-numbers": false,
      "short-option-groups": false,
      "strip-aliased": true,
    })
    .options(yargsOptions(command.options))
    .fail((message, error) => {
      problem = message ?? error?.message;
    });
  const parsed = parser.parseSync([...argv]);
  if (problem !== undefined) {
    const name = /following: (\S+)/.exec(problem)?.[1];
    throw new UsageError(name === undefined ? problem : `--${name} needs a value.`, { code: "MISSING_VALUE" });
  }
  return parsed as ReturnType<typeof read>;
}

function yargsOptions(table: OptionTable): Record<string, { type: "boolean" | "string"; requiresArg?: boolean }> {
  return Object.fromEntries(
    Object.entries(table).map(([key, option]) => [
      flagName(key),
      option.boolean ? { type: "boolean" as const } : { type: "string" as const, requiresArg: true },
    ]),
  );
}

function refuseUnknown(name: string, argv: readonly string[], command: Command): never {
  const written = argv
    .find((word) => new RegExp(`^-{1,2}(no-)?${escapeRegExp(name)}(=|$)`).test(word))
    ?.replace(/=.*$/s, "");
  const shown = written ?? (name.length === 1 ? `-${name}` : `--${name}`);
  const known = Object.keys(command.options).map((key) => `--${flagName(key)}`);
  const hint = didYouMean(`--${name}`, known);
  const all = hint.startsWith(" There is") ? ` \`harness ${command.name} --help\` lists the options.` : hint;
  throw new UsageError(`There is no option ${shown} for harness ${command.name}.${all}`, { code: "UNKNOWN_OPTION" });
}

function refuseMisplaced({ name, positionals = [] }: Command, words: readonly string[]): void {
  const most = positionals.some(({ many }) => many) ? Number.POSITIVE_INFINITY : positionals.length;
  const extra = words[most];
  if (extra !== undefined) {
    throw new UsageError(
      `"${extra}" is one too many: harness ${name} takes ${most === 0 ? "options only" : positionals.map((one) => one.name).join(" ")}.`,
      { code: "UNEXPECTED_ARGUMENT" },
    );
  }
  const missing = positionals.filter(({ required }) => required)[words.length];
  if (missing) {
    const choices = missing.choices ? `, one of ${missing.choices.join(", ")}` : "";
    throw new UsageError(`harness ${name} needs ${missing.name}: ${missing.summary}${choices}.`, {
      code: "MISSING_ARGUMENT",
    });
  }
  words.forEach((word, index) => {
    const positional = positionals[Math.min(index, positionals.length - 1)];
    if (positional?.choices && !positional.choices.includes(word)) {
      throw new UsageError(`harness ${name} does not know "${word}".${didYouMean(word, positional.choices)}`, {
        code: "BAD_VALUE",
      });
    }
  });
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
