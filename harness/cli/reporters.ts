import { appendFileSync, existsSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { builtInReporters, findReporter } from "../../reports/registry.ts";
import type { AnyResult } from "../../reports/result.ts";
import { readReporterModule } from "../../reports/user-reporter.ts";
import { didYouMean } from "../config/nearest.ts";
import type { Reporter, ReporterContext, ReporterOutput, RunBegin } from "../contracts/reporter.ts";
import { messageOf, UsageError } from "../errors.ts";
import { loadModule } from "../load-module.ts";
import { modulePeril } from "../module-trial.ts";
import { resultText, writeAtomically } from "../results/store.ts";
import { machineErrorOf } from "../storage-error.ts";
import type { CommandIo } from "./io.ts";
import { parseWorkloadText } from "./workload-text.ts";

export interface NamedReporter {
  name: string;
  reporter: Reporter<AnyResult>;
}

/**
 * The reporters of `--reporter`, by name or from a user's file. Throws `UsageError`, so that a wrong one is refused
 * before a run and not after it.
 * @param folder what relative paths count from
 */
export async function loadReporters(names: readonly string[], folder: string): Promise<NamedReporter[]> {
  const loaded: NamedReporter[] = [];
  for (const name of new Set(names)) loaded.push({ name, reporter: await loadReporter(name, folder) });
  return loaded;
}

export interface ReportOptions {
  reporters: readonly NamedReporter[];
  /** Absolute path of the run folder. */
  folder: string;
  /** True: the result is the one document on stdout, and what reporters would print there goes to stderr. */
  json: boolean;
  io: CommandIo;
}

/** Tells every reporter that a run begins. Nothing waits for them; one that fails is said. */
export function tellBegin(begin: RunBegin, options: ReportOptions): void {
  const { reporters, folder, json, io } = options;
  for (const { name, reporter } of reporters) {
    if (!reporter.onBegin) continue;
    const tell = async () => {
      const output = (await reporter.onBegin?.(begin, contextOf(options))) ?? {};
      writeOutput(output, folder, json ? io.stderr : io.stdout);
    };
    tell().catch((error: unknown) => io.stderr(`The reporter ${name} failed at the begin: ${messageOf(error)}.\n`));
  }
}

/** Makes every report. One that fails is said, and spoils neither the others nor the result. */
export async function runReporters(result: AnyResult, options: ReportOptions): Promise<void> {
  const { reporters, folder, json, io } = options;
  if (json) io.stdout(resultText(result));
  const written: string[] = [];
  const { aborted } = io.signal;
  for (const { name, reporter } of reporters) {
    if (json && name === "terminal") continue;
    try {
      const output = (await reporter.onResult?.(result, contextOf(options))) ?? {};
      writeOutput(output, folder, json ? io.stderr : io.stdout);
      written.push(...Object.keys(output.files ?? {}));
    } catch (error) {
      const stored = machineErrorOf(error) ? "" : " The result itself is stored.";
      io.stderr(`The report ${name} could not be made: ${messageOf(error)}.${stored}\n`);
    }
  }
  if (io.signal.aborted && !aborted)
    io.stderr(
      "The run was complete and is stored; only its reports were interrupted: harness report makes them again.\n",
    );
  if (!json) tellWritten(written, { reporters, folder, io });
}

function contextOf({ folder, json, io: { colour, width, environment, cwd } }: ReportOptions): ReporterContext {
  return { folder, width, environment, cwd, colour: json ? colour.stderr : colour.stdout };
}

/** The terminal's report ends with the place of the page; of other files nothing would be heard. */
function tellWritten(
  written: readonly string[],
  { reporters, folder, io }: Pick<ReportOptions, "reporters" | "folder" | "io">,
): void {
  const pageIsNamed = reporters.some(({ name }) => name === "terminal");
  for (const file of written.filter((name) => name !== "report.html" || !pageIsNamed)) {
    const path = join(folder, file);
    const shown = relative(io.cwd, path);
    io.stderr(`Wrote ${shown.startsWith("..") ? path : shown}\n`);
  }
}

async function loadReporter(name: string, folder: string): Promise<Reporter<AnyResult>> {
  const builtIn = findReporter(name);
  if (builtIn) return builtIn;
  const path = resolve(folder, name);
  if (!parseWorkloadText(name).isFile) {
    const names = builtInReporters.map((reporter) => reporter.name);
    throw new UsageError(`--reporter ${name}: there is no such reporter.${didYouMean(name, names)}`, {
      code: "UNKNOWN_NAME",
    });
  }
  if (!existsSync(path))
    throw new UsageError(`--reporter ${name}: there is no such file (${path}).`, { code: "NO_FILE" });
  const reporter = readReporterModule(await load(path));
  if (typeof reporter !== "string") return reporter;
  throw new UsageError(`--reporter ${name}: ${reporter}.`, { code: "BAD_MODULE" });
}

async function load(path: string): Promise<unknown> {
  const peril = await modulePeril(path);
  if (peril !== undefined) throw new UsageError(`--reporter: ${peril}`, { code: "BAD_MODULE" });
  try {
    return await loadModule(path);
  } catch (error) {
    throw new UsageError(`--reporter: ${messageOf(error)}`, { code: "BAD_MODULE", cause: error });
  }
}

function writeOutput(
  { stdout, files = {}, append = {} }: ReporterOutput,
  folder: string,
  print: (text: string) => void,
): void {
  for (const [name, contents] of Object.entries(files)) {
    // A reporter writes into the run folder and nowhere else.
    if (basename(name) !== name) throw new Error(`"${name}" is no plain file name`);
    // Half a page looks like a whole one, and its bytes may be the room that the result needs.
    writeAtomically(join(folder, name), contents);
  }
  for (const [path, text] of Object.entries(append)) appendFileSync(path, text);
  if (stdout !== undefined && stdout !== "") print(stdout.endsWith("\n") ? stdout : `${stdout}\n`);
}
