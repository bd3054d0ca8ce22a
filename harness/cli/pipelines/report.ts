import { relative } from "node:path";
import { renderLockHtml } from "../../../reports/html/lock.ts";
import { renderLockTerminal } from "../../../reports/terminal/lock.ts";
import { messageOf } from "../../errors.ts";
import type { LockResult } from "../../results/lock-schema.ts";
import { type RunFolder, resultText } from "../../results/store.ts";
import type { CommandIo } from "../io.ts";

export interface ReportOptions {
  folder: RunFolder;
  json: boolean;
  io: CommandIo;
}

/** Writes report.html and prints the result. A report that fails never loses a result: it is said, and the run goes on. */
export function report(result: LockResult, { folder, json, io }: ReportOptions): void {
  attempt("report.html", io, () => folder.writeFile("report.html", renderLockHtml(result)));
  if (json) {
    io.stdout(resultText(result));
    return;
  }
  attempt("the report on the terminal", io, () => {
    const shown = relative(io.cwd, folder.path) || ".";
    io.stdout(renderLockTerminal(result, { colour: io.colour.stdout, width: io.width, folder: shown }));
  });
}

function attempt(what: string, io: CommandIo, write: () => void): void {
  try {
    write();
  } catch (error) {
    io.stderr(`${what} could not be made: ${messageOf(error)}. The result itself is stored.\n`);
  }
}
