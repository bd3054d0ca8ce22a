import type { BenchPlan } from "../bench/run-benchmarks.ts";
import { benchOptions } from "../config/bench-options.ts";
import { commonOptions } from "../config/common-options.ts";
import { absolutePath, baseFolder, type ConfigFile } from "../config/config-file.ts";
import { refuseUnwritable } from "../config/outside.ts";
import { redactArgv } from "../config/redact.ts";
import type { Resolved } from "../config/resolve.ts";
import { replayCommand, shellQuote } from "./replay-command.ts";
import { loadReporters, type NamedReporter } from "./reporters.ts";

export const benchTable = { ...benchOptions, ...commonOptions } as const;
export type BenchFlags = Resolved<typeof benchTable>;

/** Benchmarks to run, resolved. */
export interface BenchRequest {
  /** As they were asked for; none: all but those of npm packages. */
  names: readonly string[];
  measurement: BenchPlan;
  redisBin: string | undefined;
  argv: readonly string[];
  config: Readonly<Record<string, string | readonly string[]>>;
  replay: string;
  outFolder: string;
  reporters: readonly NamedReporter[];
  json: boolean;
}

/** From resolved options to benchmarks that are ready to run. Starts nothing; throws `UsageError`. */
export async function makeBenchRequest(
  options: BenchFlags,
  names: readonly string[],
  { cwd, argv, file }: { cwd: string; argv: readonly string[]; file: ConfigFile | undefined },
): Promise<BenchRequest> {
  const { values, origins, texts } = options;
  const folderOf = (key: keyof typeof benchTable) => baseFolder(origins[key], file, cwd);
  const outFolder = absolutePath(folderOf("out"), values.out);
  refuseUnwritable(outFolder);
  const config = Object.fromEntries(
    Object.entries(benchTable).flatMap(([key, { repeatable }]) => {
      const text = texts[key];
      return text === undefined ? [] : [[key, repeatable ? text : (text[0] ?? "")]];
    }),
  );
  const words = names.map((name) => ` ${shellQuote(name)}`).join("");
  return {
    names,
    measurement: { rounds: values.rounds, timeMs: values.time },
    redisBin: values.redisBin === undefined ? undefined : absolutePath(folderOf("redisBin"), values.redisBin),
    argv: redactArgv(argv),
    config: { ...config, ...(names.length === 0 ? {} : { names }) },
    replay: replayCommand("bench", benchTable, options).replace(/^npx harness bench/, `$&${words}`),
    outFolder,
    reporters: await loadReporters(values.reporter, folderOf("reporter")),
    json: values.json,
  };
}
