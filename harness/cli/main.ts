import { didYouMean } from "../config/nearest.ts";
import { UsageError } from "../errors.ts";
import { drawsInPlace, usesColour } from "./colour.ts";
import type { Command } from "./command.ts";
import { commandIndex } from "./commands/index.ts";
import { signalExitCodes, watchSignals } from "./signals.ts";
import { formatStartPage } from "./start-page.ts";
import { Streams } from "./streams.ts";

/** Runs the command line and gives the exit code. Never rejects. */
export async function main(argv: readonly string[]): Promise<number> {
  const { environment, cwd } = { environment: process.env, cwd: process.cwd() };
  const streams = new Streams();
  const releaseStdout = streams.keepStdout();
  const width = Math.min(process.stdout.columns ?? 100, 120);
  const [name = "", ...rest] = argv;
  let runFolder: string | undefined;
  const report = async (error: unknown): Promise<number> => {
    const { reportError } = await import("./report-error.ts");
    const { text, exitCode } = reportError(error, runFolder);
    streams.stderr(`${text}\n`);
    return exitCode;
  };
  // What nobody caught is reported like everything else; the supervisor sees to what the run leaves behind.
  process.once("uncaughtException", (error) => void report(error).then((code) => process.exit(code)));
  try {
    if (name === "" || name === "--help" || name === "-h" || name === "help") {
      const topic = name === "help" ? rest[0] : undefined;
      streams.stdout(topic === undefined ? formatStartPage(commandIndex, width) : await helpOf(topic, width));
      return 0;
    }
    if (name === "--version" || name === "-V") {
      const { version } = await import("./version.ts");
      streams.stdout(`${version()}\n`);
      return 0;
    }
    if (name === "--complete") {
      const { complete } = await import("./complete.ts");
      const [current = "", ...words] = rest;
      streams.stdout((await complete(words, current)).map((word) => `${word}\n`).join(""));
      return 0;
    }
    const command = await commandNamed(name);
    if (rest.includes("--help") || rest.includes("-h")) {
      streams.stdout(await helpOf(name, width));
      return 0;
    }
    const { resolveCommand } = await import("./resolve-command.ts");
    const input = await resolveCommand(command, rest, { environment, cwd });
    for (const warning of input.warnings) streams.stderr(`${warning}\n`);
    if (input.printed !== undefined) {
      streams.stdout(input.printed);
      return 0;
    }
    const wanted = input.wantsColour;
    const colour = {
      stdout: usesColour({ environment, wanted, isTty: process.stdout.isTTY === true }),
      stderr: usesColour({ environment, wanted, isTty: process.stderr.isTTY === true }),
    };
    const { createProgress } = await import("./progress.ts");
    const progress = createProgress({
      write: streams.stderr,
      inPlace: drawsInPlace({ environment, isTty: process.stderr.isTTY === true }),
      quiet: input.quiet,
      width: process.stderr.columns ?? 100,
      now: () => performance.now(),
    });
    const watch = watchSignals(process, {
      tell: (text) => (command.untilSignal ? undefined : progress.note(text)),
      exit: (code) => process.exit(code),
    });
    try {
      const code = await command.run(input, {
        stdout: streams.stdout,
        stderr: (text) => {
          progress.end();
          streams.stderr(text);
        },
        ...{ progress, environment, cwd, argv, colour, width },
        signal: watch.signal,
        onEmergency: watch.onEmergency,
        setRunFolder(folder) {
          runFolder = folder;
        },
      });
      const interruptedBy = watch.interruptedBy();
      return interruptedBy === undefined || command.untilSignal ? code : signalExitCodes[interruptedBy];
    } catch (error) {
      const interruptedBy = watch.interruptedBy();
      // What is thrown because of the interruption is no error of its own.
      if (interruptedBy !== undefined && error === watch.signal.reason) return signalExitCodes[interruptedBy];
      throw error;
    } finally {
      progress.end();
      watch.stop();
    }
  } catch (error) {
    return await report(error);
  } finally {
    releaseStdout();
  }
}

async function commandNamed(name: string): Promise<Command> {
  const entry = commandIndex.find((candidate) => candidate.name === name);
  if (entry) return await entry.load();
  const names = commandIndex.map((candidate) => candidate.name);
  const what = name.startsWith("-") ? `harness takes a command first, not ${name}.` : `There is no command "${name}".`;
  throw new UsageError(`${what}${didYouMean(name, names)}`, { code: "UNKNOWN_COMMAND" });
}

async function helpOf(name: string, width: number): Promise<string> {
  const [{ formatHelp }, command] = await Promise.all([import("./help.ts"), commandNamed(name)]);
  return formatHelp(command, width);
}
