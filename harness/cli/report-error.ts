import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HarnessError, messageOf } from "../errors.ts";
import { machineErrorOf } from "../storage-error.ts";

export interface ErrorReport {
  exitCode: number;
  text: string;
}

/**
 * What to print about an error and with which code to end. Errors that were foreseen say all there is to say; for the
 * others the stack goes into a file, in the run folder if there is one by then.
 */
export function reportError(thrown: unknown, runFolder: string | undefined): ErrorReport {
  const known = thrown instanceof HarnessError ? thrown : machineErrorOf(thrown);
  if (known) return { exitCode: known.exitCode, text: printable(known.message) };
  const stack = thrown instanceof Error ? describe(thrown) : messageOf(thrown);
  const path = storeStack(stack, runFolder) ?? storeStack(stack, tmpdir());
  const where = path === undefined ? stack : `The stack is in ${path}.`;
  return {
    exitCode: 70,
    text: printable(`This is a fault of harness itself: ${messageOf(thrown)}\n${where} Please report it.`),
  };
}

/** A message may quote what a damaged file holds, which is nothing for a terminal to carry out. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, (control) => {
    return `\\x${control.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
}

function storeStack(stack: string, folder: string | undefined): string | undefined {
  if (folder === undefined) return undefined;
  const path = join(folder, `harness-error-${Date.now().toString(36)}-${process.pid}.txt`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, `${stack}\n`);
    return path;
  } catch {
    return undefined;
  }
}

function describe(error: Error): string {
  const cause = error.cause instanceof Error ? `\nCaused by: ${describe(error.cause)}` : "";
  return `${error.stack ?? messageOf(error)}${cause}`;
}
