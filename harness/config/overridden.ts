import type { OptionTable } from "./option.ts";
import type { Origin, OriginKind, Resolved } from "./resolve.ts";

/** What an option that is given, and is no `false`, makes void where it comes from a weaker source. */
export type Overrides<Table extends OptionTable> = Partial<Record<keyof Table, readonly (keyof Table)[]>>;

const strength: Readonly<Record<OriginKind, number>> = {
  flag: 4,
  code: 4,
  environment: 3,
  file: 2,
  preset: 1,
  derived: 0,
  default: 0,
};

/** Is one given, and by a stronger source than the other? */
const isStronger = (one: Origin | undefined, other: Origin | undefined): boolean =>
  strength[one?.kind ?? "default"] > strength[other?.kind ?? "default"];

/**
 * The options without those that a stronger source has put out of force, though it did not name them: a `time` of the
 * configuration file says nothing where the command line asks for a number of schedules. What comes from one and the same
 * source stays, to be refused or to count together.
 */
export function withoutOverridden<Table extends OptionTable>(
  table: Table,
  options: Resolved<Table>,
  overrides: Overrides<Table>,
): Resolved<Table> {
  const values: Record<string, unknown> = { ...options.values };
  const texts = { ...options.texts };
  const origins = { ...options.origins };
  for (const [key, victims] of Object.entries(overrides) as [string, readonly string[]][]) {
    if (values[key] === undefined || values[key] === false) continue;
    for (const victim of victims) {
      const option = table[victim]!;
      if (origins[victim]?.kind === "default" || !isStronger(origins[key], origins[victim])) continue;
      values[victim] = option.read(undefined);
      texts[victim] = typeof option.default === "string" ? [option.default] : option.default;
      origins[victim] = { kind: "default", detail: option.whenAbsent ?? "" };
    }
  }
  return { values: values as Resolved<Table>["values"], texts, origins };
}
