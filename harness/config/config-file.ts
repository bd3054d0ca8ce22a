import { existsSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { z } from "zod";
import { HarnessError, UsageError } from "../errors.ts";
import { loadModule, reasonNotLoaded } from "../load-module.ts";
import { modulePeril } from "../module-trial.ts";
import { didYouMean } from "./nearest.ts";
import { fileKey, flagName, type OptionTable } from "./option.ts";
import type { Given } from "./resolve.ts";

/** What may stand in a configuration file: options of every command at the top, those of one command under its name. */
export interface ConfigShape {
  common: OptionTable;
  sections: Readonly<Record<string, OptionTable>>;
  /** Options of several commands that may stand at the top too, such as the seed. */
  shared: readonly string[];
}

export interface ConfigFile {
  /** Absolute path. Paths inside of it count from its folder. */
  path: string;
  /** What it gives for the options of one command. */
  given(section: string): Given;
}

const fileNames = [
  "harness.config.ts",
  "harness.config.mts",
  "harness.config.js",
  "harness.config.mjs",
  "harness.config.cjs",
  "harness.config.json",
];

/** Options that say where the configuration is, or what to do with it, have no place in it. */
const flagsOnly = new Set(["config", "printConfig"]);

/**
 * Reads the configuration file: the one named, else the nearest from the working directory up to the folder that holds a
 * package.json or a repository. Throws `UsageError` for one that is missing, does not load or holds what is unknown.
 */
export async function readConfigFile(
  { named, cwd }: { named: string | undefined; cwd: string },
  shape: ConfigShape,
): Promise<ConfigFile | undefined> {
  const path = named === undefined ? findConfigFile(cwd) : resolve(cwd, named);
  if (path === undefined) return undefined;
  if (!existsSync(path)) {
    throw new UsageError(`--config ${named}: there is no such file. \`harness init\` writes one.`, {
      code: "NO_CONFIG",
    });
  }
  const shown = relative(cwd, path).startsWith("..") ? path : relative(cwd, path);
  const contents = validate(await load(path, shown), shape, shown);
  return {
    path,
    given(section) {
      const inner = contents[section] as Contents | undefined;
      const texts: Record<string, readonly string[]> = {};
      const places: Record<string, string> = {};
      for (const [prefix, values] of [
        ["", contents],
        [`${section}.`, inner ?? {}],
      ] as const) {
        for (const [key, value] of Object.entries(values)) {
          if (prefix === "" && (key in shape.sections || key === "$schema")) continue;
          const option = optionKey(shape.sections[section] ?? {}, key);
          texts[option] = textsOf(value, option !== key);
          places[option] = `${shown}: ${prefix}${key}`;
        }
      }
      return { kind: "file", nameOf: (key) => places[key] ?? `${shown}: ${key}`, texts };
    },
  };
}

type Contents = Readonly<Record<string, unknown>>;

function findConfigFile(folder: string): string | undefined {
  const found = fileNames.map((name) => join(folder, name)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  const manifest = join(folder, "package.json");
  if (existsSync(manifest)) return hasSection(manifest) ? manifest : undefined;
  const above = dirname(folder);
  return above === folder || existsSync(join(folder, ".git")) ? undefined : findConfigFile(above);
}

function hasSection(manifest: string): boolean {
  try {
    return "harness" in JSON.parse(readFileSync(manifest, "utf8"));
  } catch {
    // A broken package.json is npm's to complain about.
    return false;
  }
}

async function load(path: string, shown: string): Promise<unknown> {
  try {
    if (path.endsWith(".json")) {
      const value = JSON.parse(readFileSync(path, "utf8"));
      return path.endsWith("package.json") ? value.harness : value;
    }
    const peril = await modulePeril(path);
    if (peril !== undefined) throw new UsageError(peril, { code: "BAD_CONFIG" });
    const module = await loadModule(path);
    return "default" in module ? module.default : module;
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    throw new UsageError(`${shown} does not load: ${reasonNotLoaded(error, path)}`, {
      code: "BAD_CONFIG",
      cause: error,
    });
  }
}

function validate(contents: unknown, shape: ConfigShape, shown: string): Contents {
  const result = configSchema(shape).safeParse(contents);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new UsageError(`${shown}: ${issue ? explain(issue, shape) : "it is no configuration."}`, {
    code: "BAD_CONFIG",
  });
}

/** The schema of a configuration file. `$schema` is for editors. */
export function configSchema(shape: ConfigShape): z.ZodObject {
  const sections = Object.entries(shape.sections).map(([name, table]) => [name, tableSchema(table).optional()]);
  return z.strictObject({
    $schema: z.string().optional(),
    ...tableSchema({ ...shape.common, ...sharedOptions(shape) }).shape,
    ...Object.fromEntries(sections),
  });
}

function sharedOptions({ sections, shared }: ConfigShape): OptionTable {
  const all = Object.values(sections).flatMap((table) => Object.entries(table));
  return Object.fromEntries(all.filter(([key]) => shared.includes(key)));
}

/** Values are written as on the command line; what they mean is for the options to say. */
function tableSchema(table: OptionTable): z.ZodObject {
  const single = z.union([z.string(), z.number(), z.boolean()]);
  const many = z.union([single, z.array(z.union([single, z.record(z.string(), z.unknown())]))]);
  const keys = Object.entries(table).filter(([key]) => !flagsOnly.has(key));
  return z.strictObject(
    Object.fromEntries(
      keys.map(([key, option]) => {
        const { summary, repeatable, boolean, inFile } = option;
        const one = repeatable ? many : boolean ? z.union([z.boolean(), z.string()]) : single;
        const type = inFile?.map ? z.union([z.record(z.string(), single), one]) : one;
        return [fileKey(key, option), type.describe(summary).optional()];
      }),
    ),
  );
}

function explain(issue: z.core.$ZodIssue, shape: ConfigShape): string {
  const place = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0] ?? "";
    const section = issue.path[0] === undefined ? undefined : shape.sections[String(issue.path[0])];
    const known = section
      ? Object.entries(section).map(([name, option]) => fileKey(name, option))
      : [...Object.keys(shape.common).filter((name) => !flagsOnly.has(name)), ...Object.keys(shape.sections)];
    return `there is no option "${place === "" ? key : `${place}.${key}`}".${elsewhere(key, shape, section) ?? didYouMean(key, known)}`;
  }
  if (place === "") return "it must be an object, such as { lock: { workers: 4 } }.";
  return `${place} must be a text, a number, true or false${issue.code === "invalid_union" ? ", or a list of them" : ""}.`;
}

/** An option that stands at the wrong level, or is written like a flag, is told its place. */
function elsewhere(key: string, shape: ConfigShape, section: OptionTable | undefined): string | undefined {
  for (const [name, table] of Object.entries(shape.sections)) {
    const meant = Object.entries(table).find(([option]) => option === key || flagName(option) === key);
    if (meant) return ` It is written ${name}: { ${fileKey(...meant)}: ... }.`;
  }
  const common = section && Object.keys(shape.common).find((option) => option === key || flagName(option) === key);
  return common === undefined ? undefined : ` ${common} stands at the top, beside the commands.`;
}

/** The option that a key of the file is for. */
function optionKey(table: OptionTable, key: string): string {
  return Object.entries(table).find(([name, option]) => fileKey(name, option) === key)?.[0] ?? key;
}

function textsOf(value: unknown, isMap = false): string[] {
  if (isMap && typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.entries(value).map(([name, one]) => `${name}=${one}`);
  }
  const values = Array.isArray(value) ? value : [value];
  return values.map((one) => (typeof one === "object" ? JSON.stringify(one) : String(one)));
}

/** The folder that relative paths of an option count from: that of the file for what it gave, else the working directory. */
export function baseFolder(origin: { kind: string } | undefined, file: ConfigFile | undefined, cwd: string): string {
  return origin?.kind === "file" && file ? dirname(file.path) : cwd;
}

export const absolutePath = (folder: string, path: string): string => (isAbsolute(path) ? path : resolve(folder, path));
