import { messageOf, UsageError } from "../errors.ts";
import { flagName, flagText, type OptionTable, type OptionValues, variableName } from "./option.ts";
import { UnitError } from "./units.ts";

/** Where a value comes from; the first of these that has one wins. */
export type OriginKind = "flag" | "code" | "environment" | "file" | "preset" | "default" | "derived";

export interface Origin {
  kind: OriginKind;
  /** The flag, the variable, the file and its key, the preset, or the reason of a derived value. */
  detail: string;
}

/** Did somebody say so, or is it a default? */
export const isGiven = (origin: Origin | undefined): boolean =>
  origin !== undefined && !["default", "derived", "preset"].includes(origin.kind);

/** What was given by each source: one text for each time that an option was given, by the option's key. */
export interface Given {
  kind: OriginKind;
  /** Names an option in this source, for messages and origins. */
  nameOf(key: string): string;
  texts: Readonly<Record<string, readonly string[] | undefined>>;
}

export interface Resolved<Table extends OptionTable> {
  values: OptionValues<Table>;
  /** As written; undefined if nothing was given and there is no default. */
  texts: Readonly<Record<string, readonly string[] | undefined>>;
  origins: Readonly<Record<string, Origin>>;
}

/**
 * Reads every option of a table from the first source that has it; the sources come in order of precedence.
 * Throws `UsageError` naming the option as it was given and its value.
 */
export function resolveOptions<Table extends OptionTable>(table: Table, sources: readonly Given[]): Resolved<Table> {
  const values: Record<string, unknown> = {};
  const texts: Record<string, readonly string[] | undefined> = {};
  const origins: Record<string, Origin> = {};
  for (const [key, option] of Object.entries(table)) {
    const source = sources.find((candidate) => candidate.texts[key] !== undefined);
    const given = source?.texts[key];
    texts[key] = given ?? (typeof option.default === "string" ? [option.default] : option.default);
    origins[key] = source
      ? { kind: source.kind, detail: source.nameOf(key) }
      : { kind: "default", detail: option.whenAbsent ?? "" };
    values[key] = readOrExplain(source?.nameOf(key) ?? flagText(key, option), given, () => option.read(given));
  }
  return { values: values as OptionValues<Table>, texts, origins };
}

/** The flags of a command line. */
export const fromFlags = (texts: Given["texts"]): Given => ({
  kind: "flag",
  nameOf: (key) => `--${flagName(key)}`,
  texts,
});

/** The `HARNESS_*` variables. An empty one counts as absent. */
export function fromEnvironment(table: OptionTable, environment: Readonly<Record<string, string | undefined>>): Given {
  const texts: Record<string, readonly string[]> = {};
  for (const key of Object.keys(table)) {
    const value = environment[variableName(key)];
    if (value === undefined || value.trim() === "") continue;
    texts[key] = [value];
  }
  return { kind: "environment", nameOf: variableName, texts };
}

function readOrExplain<Value>(name: string, given: readonly string[] | undefined, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnitError)) throw error;
    throw new UsageError(`${name}${given === undefined ? "" : ` ${given.join(" ")}`}: ${messageOf(error)}`, {
      code: "BAD_VALUE",
      cause: error,
    });
  }
}
