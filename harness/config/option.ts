import { splitList } from "./split-list.ts";
import { UnitError } from "./units.ts";

/** How a value is written and read. `parse` throws `UnitError`. */
export interface ValueType<Value> {
  /** How the value stands in the help: `DURATION`, `N`, `NAME|FILE`. */
  argument: string;
  parse(text: string): Value;
  /** The only values there are. */
  choices?: readonly string[];
}

/** What help, completion, documentation and the configuration's readers know of an option. */
export interface OptionData {
  /** One sentence, without a full stop at the end. */
  summary: string;
  /** Heading in the help. */
  group: string;
  /** As a user would write it. Absent: there is none, or it depends on other options. */
  default?: string | readonly string[];
  /** What happens when it is not given, where that is no plain default: `drawn`, `own for redlock`. */
  whenAbsent?: string;
  examples?: readonly string[];
  argument?: string;
  choices?: readonly string[];
  /** May be given several times, as a list in a file, and as a comma list. */
  repeatable: boolean;
  /** Given without a value: `--quiet`, `--no-color`. */
  boolean: boolean;
  /** In the configuration file it has another key, and its `name=value` pairs stand there as an object. */
  inFile?: { key: string; map: true };
}

/**
 * An option. Its key in the table is the key in the configuration file, in camel case; the flag is the same in kebab case,
 * the variable the same in capitals after `HARNESS_`.
 */
export interface Option<Value> extends OptionData {
  /** Reads what was given, one text for each time; undefined if nothing was. Throws `UnitError`. */
  read(texts: readonly string[] | undefined): Value;
}

export type OptionTable = Readonly<Record<string, Option<unknown>>>;

/** The values that a table of options resolves to. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Key in keyof Table]: Table[Key] extends Option<infer Value> ? Value : never;
};

type Definition<Value> = Omit<OptionData, "repeatable" | "boolean" | "argument" | "choices" | "default"> & {
  type: ValueType<Value>;
};

/** An option with one value. */
export function option<Value>(definition: Definition<Value> & { default: string }): Option<Value>;
export function option<Value>(definition: Definition<Value>): Option<Value | undefined>;
export function option<Value>({ type, ...data }: Definition<Value> & { default?: string }): Option<Value | undefined> {
  return {
    ...data,
    ...typeData(type),
    repeatable: false,
    boolean: false,
    read(texts = data.default === undefined ? undefined : [data.default]) {
      if (texts === undefined) return undefined;
      if (texts.length > 1) throw new UnitError(`it was given ${texts.length} times: ${texts.join(" and ")}.`);
      return texts[0] === undefined ? undefined : type.parse(texts[0]);
    },
  };
}

/**
 * An option that may be given several times, or as a comma list (commas inside parentheses do not count).
 * `split: false`: its values hold commas of their own.
 */
export function listOption<Value>({
  type,
  split = true,
  ...data
}: Definition<Value> & { default?: readonly string[]; split?: boolean }): Option<readonly Value[]> {
  return {
    ...data,
    ...typeData(type),
    repeatable: true,
    boolean: false,
    read: (texts = data.default ?? []) => (split ? texts.flatMap(splitList) : texts).map((text) => type.parse(text)),
  };
}

/** An option without a value. */
export function flag(data: { summary: string; group: string; default?: string; whenAbsent?: string }): Option<boolean> {
  return {
    ...data,
    repeatable: false,
    boolean: true,
    read: (texts = [data.default ?? "false"]) => parseBoolean(texts.at(-1) ?? "false"),
  };
}

/** `jobTime` -> `job-time` */
export const flagName = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** `jobTime` -> `HARNESS_JOB_TIME` */
export const variableName = (key: string): string => `HARNESS_${flagName(key).replaceAll("-", "_").toUpperCase()}`;

/** The key of an option in the configuration file. */
export const fileKey = (key: string, { inFile }: OptionData): string => inFile?.key ?? key;

/** As it stands in the help: `--job-time`, and `--no-color` for what is on by default. */
export const flagText = (key: string, data: OptionData): string =>
  data.boolean && data.default === "true" ? `--no-${flagName(key)}` : `--${flagName(key)}`;

const typeData = <Value>({ argument, choices }: ValueType<Value>): Pick<OptionData, "argument" | "choices"> => ({
  argument,
  ...(choices ? { choices } : {}),
});

function parseBoolean(text: string): boolean {
  const written = text.trim().toLowerCase();
  if (["true", "1", "yes", "on"].includes(written)) return true;
  if (["false", "0", "no", "off"].includes(written)) return false;
  throw new UnitError(`"${text}" is neither true nor false.`);
}
