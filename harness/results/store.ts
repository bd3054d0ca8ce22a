import { createHash, randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { messageOf, UsageError } from "../errors.ts";
import { machineErrorOf, makeFolders, storageErrorOf, writeWhole } from "../storage-error.ts";
import { parseResult, type Result, resultSchema } from "./result-schema.ts";
import { serializePlan } from "./serialize-plan.ts";
import { hintOfRuns } from "./stored-document.ts";

export const PLAN_FILE = "plan.json";
export const RESULT_FILE = "result.json";

/** The folder of one run. Everything that a run leaves behind lies in it. */
export interface RunFolder {
  /** Its name, and the id of the run: `lock-20260102T030405Z-3f9a1c`. */
  id: string;
  /** Absolute. */
  path: string;
  /** Writes plan.json; gives the SHA-256 of its text, hex. */
  writePlan(plan: object): { file: string; sha256: string };
  /**
   * Writes result.json, at once or not at all; may be called again as the run goes on. From the first one on the
   * folder can be read, and `latest` points to it.
   */
  writeResult(result: Result): void;
  /** Writes a file of the given name in the same way. */
  writeFile(name: string, text: string): void;
  /** Removes the folder of a run that never began; `latest` points to what it pointed to before. */
  discard(): void;
}

/**
 * Makes `<out>/<kind>-<UTC time>-<short id>/`, to which `<out>/latest` points when it has a result.
 * Throws a UsageError (64) when `out` cannot be written to.
 */
export function createRunFolder({
  out,
  kind,
  startedAt = new Date(),
}: {
  out: string;
  kind: string;
  startedAt?: Date;
}): RunFolder {
  const time = startedAt.toISOString().replace(/[-:]|\.\d+/g, "");
  const id = `${kind}-${time}-${randomBytes(3).toString("hex")}`;
  const path = join(resolve(out), id);
  try {
    makeFolders(path);
    writeAtomically(join(path, ".writable"), " ".repeat(4_096));
    rmSync(join(path, ".writable"));
  } catch (error) {
    const ofTheMachine = machineErrorOf(error);
    if (ofTheMachine) throw ofTheMachine;
    throw new UsageError(
      `Results cannot be written to ${resolve(out)}: ${messageOf(error)}. Name a folder that can be written to with --out.`,
      { code: "OUT_NOT_WRITABLE", cause: error },
    );
  }
  return runFolder(path, id, pointLatestTo(resolve(out), id));
}

/** A run folder that is there already. */
export function openRunFolder(path: string, id: string): RunFolder {
  return runFolder(path, id, { point: () => {}, pointBack: () => {} });
}

function runFolder(path: string, id: string, latest: LatestLink): RunFolder {
  return {
    id,
    path,
    writePlan(plan) {
      const text = serializePlan(plan);
      writeAtomically(join(path, PLAN_FILE), text);
      return { file: PLAN_FILE, sha256: sha256(text) };
    },
    writeResult(result) {
      writeAtomically(join(path, RESULT_FILE), resultText(result));
      latest.point();
    },
    writeFile: (name, text) => writeAtomically(join(path, name), text),
    discard() {
      latest.pointBack();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** A result as it is stored and as `--json` prints it: valid by the schema, which knows neither NaN nor Infinity. */
export function resultText(result: Result): string {
  return `${JSON.stringify(resultSchema.parse(result), null, 1)}\n`;
}

/** Reads result.json of a run folder, or a result file. */
export function readResult(path: string): Result {
  for (const file of [join(path, RESULT_FILE), path]) {
    let text: string;
    try {
      text = readFileSync(file, "utf8");
    } catch {
      continue;
    }
    return parseResult(text, file);
  }
  const next = hintOfRuns(path) ?? `Give the folder of a run, or a ${RESULT_FILE}`;
  throw new UsageError(`There is no result at ${resolve(path)}. ${next}.`, { code: "NO_RESULT" });
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Under its name the file is always whole: the old one or the new one. @throws StorageError */
export function writeAtomically(file: string, text: string): void {
  const partial = `${file}.partial`;
  try {
    const descriptor = openSync(partial, "w");
    try {
      writeWhole(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw storageErrorOf(error, file);
  }
}

interface LatestLink {
  /** Once. */
  point(): void;
  /** To the run before this one, unless another has come meanwhile. */
  pointBack(): void;
}

/** A convenience: where links cannot be made, runs do without. */
function pointLatestTo(out: string, id: string): LatestLink {
  const link = join(out, "latest");
  let before: string | undefined;
  let pointed = false;
  const pointTo = (target: string) => {
    const fresh = join(out, `.latest-${id}`);
    try {
      symlinkSync(target, fresh, "dir");
      renameSync(fresh, link);
    } catch {
      rmSync(fresh, { force: true });
    }
  };
  return {
    point() {
      if (pointed) return;
      pointed = true;
      before = targetOf(link);
      pointTo(id);
    },
    pointBack() {
      if (!pointed || targetOf(link) !== id) return;
      if (before === undefined) rmSync(link, { force: true });
      else pointTo(before);
    },
  };
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}
