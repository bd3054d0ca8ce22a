import { commonOptions } from "../config/common-options.ts";
import type { ConfigFile } from "../config/config-file.ts";
import { nearestName } from "../config/nearest.ts";
import { type OptionTable, variableName } from "../config/option.ts";
import { presetGiven } from "../config/presets.ts";
import { fromEnvironment, fromFlags, type Given, type Resolved, resolveOptions } from "../config/resolve.ts";
import type { Command, CommandInput } from "./command.ts";
import { configShape } from "./config-shape.ts";
import { parseArgv } from "./parse-argv.ts";
import { formatConfig } from "./print-config.ts";

export interface ResolvedCommand extends CommandInput<OptionTable> {
  quiet: boolean;
  wantsColour: boolean;
  /** Worth a line on stderr before anything runs. */
  warnings: readonly string[];
  /** What --print-config prints instead of running the command. */
  printed?: string;
}

/** Flags, environment, configuration file, preset and defaults of one command, resolved. */
export async function resolveCommand(
  command: Command,
  argv: readonly string[],
  { environment, cwd }: { environment: Readonly<Record<string, string | undefined>>; cwd: string },
): Promise<ResolvedCommand> {
  const { flags, positionals } = parseArgv(command, argv);
  const outside = [fromFlags(flags), fromEnvironment(command.options, environment)];
  const file = command.section === undefined ? undefined : await configFile(outside, cwd);
  const sources = file && command.section !== undefined ? [...outside, file.given(command.section)] : outside;
  const options = resolveOptions(command.options, [...sources, ...presetOf(command, sources)]);
  const values = options.values as { quiet?: boolean; json?: boolean; color?: boolean; printConfig?: boolean };
  const warnings = await unknownVariables(command, environment);
  const input = {
    warnings,
    options,
    positionals,
    file,
    quiet: values.quiet === true,
    wantsColour: values.color !== false,
  };
  if (values.printConfig !== true) return input;
  return {
    ...input,
    printed: formatConfig(command.options, options, { json: values.json === true, path: file?.path }),
  };
}

/** Each told once; programs of the same prefix may set many of their own. */
const MOST_VARIABLES = 3;

/** `HARNESS_*` variables that no command reads: likely slips of the pen. */
async function unknownVariables(
  command: Command,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  const own = new Set(Object.keys(command.options).map(variableName));
  const strange = Object.keys(environment).filter(
    (name) => name.startsWith("HARNESS_") && !own.has(name) && environment[name]?.trim() !== "",
  );
  // The other commands are loaded only where there is something to look for.
  if (strange.length === 0) return [];
  const { commandIndex } = await import("./commands/index.ts");
  const commands = await Promise.all(commandIndex.map((entry) => entry.load()));
  const known = new Set(commands.flatMap(({ options }) => Object.keys(options).map(variableName)));
  const unknown = strange.filter((name) => !known.has(name)).sort();
  const told = unknown.slice(0, MOST_VARIABLES).map((name) => {
    const nearest = nearestName(
      name.slice(PREFIX),
      [...known].map((one) => one.slice(PREFIX)),
    );
    const hint = nearest === undefined ? "" : ` Did you mean HARNESS_${nearest}?`;
    return `Warning: the environment has ${name}, and no command reads it.${hint}`;
  });
  const left = unknown.length - told.length;
  return left > 0 ? [...told, `Warning: ${left} more such variables are not read either.`] : told;
}

const PREFIX = "HARNESS_".length;

async function configFile(outside: readonly Given[], cwd: string): Promise<ConfigFile | undefined> {
  // Loaded only by commands that read it: validation is heavy to start.
  const { readConfigFile } = await import("../config/config-file.ts");
  const named = resolveOptions({ config: commonOptions.config }, outside).values.config;
  return await readConfigFile({ named, cwd }, configShape);
}

function presetOf(command: Command, sources: readonly Given[]): Given[] {
  const option = command.options.preset;
  if (!option) return [];
  const { values }: Resolved<OptionTable> = resolveOptions({ preset: option }, sources);
  return typeof values.preset === "string" ? [presetGiven(values.preset)] : [];
}
