import { fileURLToPath } from "node:url";
import type { commonOptions } from "../../config/common-options.ts";
import { type ConfigFile, readConfigFile } from "../../config/config-file.ts";
import type { Section } from "../../config/config-type.ts";
import { didYouMean } from "../../config/nearest.ts";
import { fileKey, type OptionTable } from "../../config/option.ts";
import { presetGiven } from "../../config/presets.ts";
import { type Given, type Resolved, resolveOptions } from "../../config/resolve.ts";
import { formatDurationMs } from "../../config/units.ts";
import { UsageError } from "../../errors.ts";
import { configShape } from "../config-shape.ts";
import { whatThisIs } from "./what-this-is.ts";

/** Where a module of your own lies: a path, counted from `cwd`, or `new URL("./my-lock.ts", import.meta.url)`. */
type OrUrl<Value> = Value extends string ? (string extends Value ? string | URL : Value) : Value;

/**
 * The options of a command as an object: keys in camel case, values as in the configuration file. A duration may also be
 * a number, which then is in ms.
 */
export type CodeSection<Table extends OptionTable> = {
  readonly [Key in keyof Section<Table>]: Section<Table>[Key] extends infer Value | undefined
    ? OrUrl<Value> | (Value extends readonly (infer One)[] ? readonly OrUrl<One>[] : never) | undefined
    : never;
};

/** What every function takes besides the options of its command. */
export interface RunOptions extends Omit<CodeSection<typeof commonOptions>, "json" | "dryRun" | "quiet" | "color"> {
  /**
   * A configuration file whose values count where the code gives none. Without it none is read, and no `HARNESS_*`
   * variable either: a test means the same everywhere.
   */
  readonly config?: string | undefined;
  /** What relative paths count from. Default: the working directory. */
  readonly cwd?: string | undefined;
  /** Ends the run early, in good order: what was recorded until then is stored and returned as *interrupted*. */
  readonly signal?: AbortSignal | undefined;
  /** Hears how far the run is, in lines for people. */
  readonly onProgress?: ((line: string) => void) | undefined;
}

/** Keys of `RunOptions` that no option table has. */
const aboutTheCall: ReadonlySet<string> = new Set(["config", "cwd", "signal", "onProgress"]);
/** Options of the command line that make no sense in code. */
const commandLineOnly: ReadonlySet<string> = new Set(["json", "dryRun", "quiet", "color", "printConfig"]);

/**
 * What relative paths in the options of a call count from.
 * @throws UsageError when they are no object, such as `null`, a name, or a promise
 */
export function givenOptions(given: { readonly cwd?: string | undefined }, caller: string): { cwd: string } {
  const value: unknown = given;
  const plain = typeof value === "object" && value !== null && !Array.isArray(value) && !("then" in value);
  if (plain && !(value instanceof URL)) return { cwd: given.cwd ?? process.cwd() };
  throw new UsageError(`${caller} takes its options as an object, such as { seed: 7 }; this is ${whatThisIs(value)}.`, {
    code: "BAD_VALUE",
  });
}

export interface ResolvedCode<Table extends OptionTable> {
  options: Resolved<Table>;
  file: ConfigFile | undefined;
}

/**
 * The options that code gave, then those of the file that it named, of a preset, and the defaults. Reports are HTML only
 * unless said otherwise. Throws `UsageError`.
 * @param caller name of the function, for messages
 */
export async function resolveCode<Table extends OptionTable>(
  table: Table,
  given: object,
  { caller, section, cwd }: { caller: string; section: string; cwd: string },
): Promise<ResolvedCode<Table>> {
  const { config } = given as RunOptions;
  const code = fromCode(table, given as Readonly<Record<string, unknown>>, caller);
  const file = config === undefined ? undefined : await readConfigFile({ named: config, cwd }, configShape);
  const sources = file ? [code, file.given(section)] : [code];
  const reports: Given = { kind: "derived", nameOf: () => "used from code", texts: { reporter: ["html"] } };
  return { options: resolveOptions(table, [...sources, ...presetOf(table, sources), reports]), file };
}

/** The texts that the same options would be on the command line. */
function fromCode(table: OptionTable, given: Readonly<Record<string, unknown>>, caller: string): Given {
  const texts: Record<string, readonly string[]> = {};
  const options = Object.entries(table).filter(([key]) => !commandLineOnly.has(key));
  const byName = new Map(options.map(([key, option]) => [fileKey(key, option), { key, option }]));
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || aboutTheCall.has(name)) continue;
    const found = byName.get(name);
    if (found === undefined) {
      const hint = didYouMean(name, [...byName.keys(), ...aboutTheCall]);
      throw new UsageError(`${caller} has no option "${name}".${hint}`, { code: "UNKNOWN_OPTION" });
    }
    const { key, option } = found;
    const values = option.inFile?.map ? pairsOf(value) : Array.isArray(value) ? value : [value];
    texts[key] = values.map((one) => textOf(one, option.argument === "DURATION", `${caller}: ${name}`));
  }
  return { kind: "code", nameOf: (key) => `${caller}: ${key}`, texts };
}

/** `{ p99: 15 }` -> `p99=15` */
const pairsOf = (value: unknown): unknown[] =>
  typeof value === "object" && value !== null ? Object.entries(value).map(([key, one]) => `${key}=${one}`) : [value];

function textOf(value: unknown, isDuration: boolean, name: string): string {
  if (value instanceof URL) {
    if (value.protocol === "file:") return fileURLToPath(value);
    return value.href;
  }
  if (typeof value === "number" && isDuration) return Number.isFinite(value) ? formatDurationMs(value) : String(value);
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  if (["string", "number", "boolean"].includes(typeof value)) return String(value);
  throw new UsageError(`${name} is ${value === null ? "null" : `a ${typeof value}`}: leave it out, or give a value.`, {
    code: "BAD_VALUE",
  });
}

function presetOf(table: OptionTable, sources: readonly Given[]): Given[] {
  const option = table.preset;
  if (!option) return [];
  const { values }: Resolved<OptionTable> = resolveOptions({ preset: option }, sources);
  return typeof values.preset === "string" ? [presetGiven(values.preset)] : [];
}
