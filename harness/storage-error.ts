import { closeSync, mkdirSync, openSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, relative, resolve } from "node:path";
import { messageOf, UnavailableError } from "./errors.ts";

/** What a file system may refuse, and how that reads after "because". */
const REFUSALS: Readonly<Record<string, string>> = {
  ENOSPC: "there is no space left",
  EDQUOT: "the quota is used up",
  EFBIG: "the file would be too large",
  EROFS: "the file system is read-only",
  EACCES: "harness may not write there",
  EPERM: "harness may not write there",
  EMFILE: "this process has too many files open (ulimit -n)",
  ENFILE: "this machine has too many files open",
  ENOENT: "a folder on the way to it is not there, or is there no more",
  ENOTDIR: "something on the way to it is no folder",
  EISDIR: "it is a folder",
  EIO: "the disk failed",
};

/** Of these it is clear without a path that the machine is at fault, and no program. */
const OF_THE_MACHINE = new Set(["ENOSPC", "EDQUOT", "EROFS", "EMFILE", "ENFILE", "EIO"]);

/** Something could not be written. What was written before stays as it is. Exit code 69. */
export class StorageError extends UnavailableError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: "STORAGE", cause });
  }
}

/** As `mkdtemp` names the folders for what a run needs only while it lasts; all else is a result. */
const TEMPORARY = /^holdfast-[A-Za-z0-9]{6}([/\\]|$)/;

function otherFolder(path: string): string {
  const temporary = TEMPORARY.test(relative(tmpdir(), path));
  return temporary ? "another folder in the variable TMPDIR" : "another folder with --out";
}

function notWritten(path: string, cause: unknown, elsewhere = otherFolder(path)): StorageError {
  const code = codeOf(cause) ?? "";
  return new StorageError(
    `${path} could not be written: ${REFUSALS[code] ?? messageOf(cause)} (${code}). ` +
      `Make room there, or name ${elsewhere}. What was recorded before stays readable.`,
    cause,
  );
}

/**
 * Does something that writes to a path. What the file system refuses is thrown as a `StorageError`.
 * @param elsewhere what to name instead, and with which option
 */
export function writing<Value>(path: string, act: () => Value, elsewhere?: string): Value {
  try {
    return act();
  } catch (error) {
    throw storageErrorOf(error, path, elsewhere);
  }
}

/** A `StorageError` in place of what a file system refuses; anything else as it is. */
export function storageErrorOf(error: unknown, path: string, elsewhere?: string): unknown {
  if (error instanceof StorageError) return error;
  const code = codeOf(error);
  return code !== undefined && code in REFUSALS ? notWritten(path, error, elsewhere) : error;
}

/** The same for an error of which nobody knows where it comes from: the machine's faults, not those of a program. */
export function machineErrorOf(error: unknown): StorageError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof StorageError) return cause;
    const { code = "", path } = cause as NodeJS.ErrnoException;
    if (OF_THE_MACHINE.has(code)) return notWritten(path ?? "A file", cause);
  }
  return undefined;
}

/** Writes all of it: `writeSync` may write less than it was given, on a full disk for instance, before it fails. */
export function writeWhole(descriptor: number, text: string): void {
  let bytes = Buffer.from(text);
  while (bytes.length > 0) bytes = bytes.subarray(writeSync(descriptor, bytes));
}

/** Appends to a file. @throws StorageError */
export function appendWhole(path: string, text: string): void {
  writing(path, () => {
    const descriptor = openSync(path, "a");
    try {
      writeWhole(descriptor, text);
    } finally {
      closeSync(descriptor);
    }
  });
}

/**
 * Makes a folder and those above it, one by one: where none can be made, as below /proc, `mkdir` with `recursive` of Node
 * tries for ever.
 */
export function makeFolders(path: string): void {
  const missing: string[] = [];
  for (let folder = resolve(path); !isFolder(folder); folder = dirname(folder)) missing.push(folder);
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder);
    } catch (error) {
      // Somebody else may have made it meanwhile.
      if (codeOf(error) !== "EEXIST" || !isFolder(folder)) throw error;
    }
  }
}

function isFolder(path: string): boolean {
  return dirname(path) === path || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}
