import { commonOptions } from "../config/common-options.ts";
import type { ConfigFile } from "../config/config-file.ts";
import type { OptionTable } from "../config/option.ts";
import { presetGiven } from "../config/presets.ts";
import { fromEnvironment, fromFlags, type Given, type Resolved, resolveOptions } from "../config/resolve.ts";
import type { Command, CommandInput } from "./command.ts";
import { configShape } from "./config-shape.ts";
import { parseArgv } from "./parse-argv.ts";
import { formatConfig } from "./print-config.ts";

export interface ResolvedCommand extends CommandInput<OptionTable> {
  quiet: boolean;
  wantsColour: boolean;
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
  const input = { options, positionals, file, quiet: values.quiet === true, wantsColour: values.color !== false };
  if (values.printConfig !== true) return input;
  return {
    ...input,
    printed: formatConfig(command.options, options, { json: values.json === true, path: file?.path }),
  };
}

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
