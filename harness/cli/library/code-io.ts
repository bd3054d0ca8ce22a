import { usesColour } from "../colour.ts";
import type { CommandIo } from "../io.ts";
import { createProgress } from "../progress.ts";
import type { RunOptions } from "./code-options.ts";

const width = 100;

/**
 * The world as a command sees it when it is called from code: silent, but for reports that were asked for and the
 * listener for progress; interrupted by the caller's signal and by no signal of the process.
 */
export function codeIo({ signal, onProgress }: RunOptions, { cwd, argv }: Pick<CommandIo, "cwd" | "argv">): CommandIo {
  const environment = process.env;
  const progress = createProgress({
    write: (text) => onProgress?.(text.trimEnd()),
    ...{ inPlace: false, quiet: onProgress === undefined, width },
    now: () => performance.now(),
  });
  return {
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    ...{ progress, environment, cwd, argv, width },
    colour: {
      stdout: usesColour({ environment, wanted: true, isTty: process.stdout.isTTY === true }),
      stderr: usesColour({ environment, wanted: true, isTty: process.stderr.isTTY === true }),
    },
    signal: signal ?? new AbortController().signal,
    // The caller's process ends as its owner wants; the supervisor clears away what a killed one leaves.
    onEmergency: () => () => {},
    setRunFolder: () => {},
  };
}
