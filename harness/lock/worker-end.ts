import { messageOf } from "../errors.ts";
import { StorageError } from "../storage-error.ts";

/** How a worker process ended. */
export interface WorkerExit {
  code: number | undefined;
  signal: string | undefined;
  /** The end of what it wrote on stderr. */
  stderr: string;
}

const CANNOT_RECORD = "holdfast-cannot-record: ";
const CANNOT_RECORD_CODE = 69;

/** A worker that cannot write its journal ends, with the reason as its last words: nobody would know what it did. */
export function endWithoutJournal(error: unknown): never {
  process.stderr.write(`\n${CANNOT_RECORD}${messageOf(error)}\n`);
  process.exit(CANNOT_RECORD_CODE);
}

/** How that looks from outside, where no process of this machine is meant. */
export function exitWithoutJournal(error: unknown): WorkerExit {
  return { code: CANNOT_RECORD_CODE, signal: undefined, stderr: `${CANNOT_RECORD}${messageOf(error)}` };
}

/** Why a worker could not write its journal, if it ended because of that. */
export function recordingFailure({ code, stderr }: WorkerExit): StorageError | undefined {
  if (code !== CANNOT_RECORD_CODE) return undefined;
  const words = stderr.split("\n").find((line) => line.startsWith(CANNOT_RECORD));
  return words === undefined ? undefined : new StorageError(words.slice(CANNOT_RECORD.length));
}

/** What a process said at its end, in a line: the error of a stack rather than where it was thrown. */
export function lastWords(stderr: string): string {
  const lines = stderr.split("\n").map((line) => line.trim());
  const said = lines.filter((line) => line !== "" && !/^(at |Node\.js v)/.test(line));
  return said.findLast((line) => /^(Uncaught )?([A-Z]\w*)?Error\b.*:/.test(line)) ?? said.at(-1) ?? "";
}
