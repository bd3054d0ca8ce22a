import { basename } from "node:path";
import type { HistoryEvent, HistoryHeader } from "../contracts/history.ts";
import { messageOf, UsageError } from "../errors.ts";
import { historyHeaderSchema } from "./event-schema.ts";
import { readLines } from "./lines.ts";
import { problemOf } from "./validate.ts";

/** A line that was cut off, as a kill or a full disk leaves it: the last one, or, in a journal, one anywhere. */
export interface TornLine {
  file: string;
  line: number;
  text: string;
}

export interface ReadNotes {
  /** Absent in a process's own journal, which has no header. */
  header?: HistoryHeader;
  torn: TornLine[];
}

/**
 * Reads a history or a journal, newline-delimited JSON, in batches of validated events. A torn last line is left out
 * and noted; anything else that is wrong throws a UsageError (64) with file, line and field.
 * @param notes filled in while reading
 * @param options.lenient for journals: a line anywhere that is no JSON is left out and noted too
 */
export async function* readEvents(
  file: string,
  notes: ReadNotes = { torn: [] },
  { lenient = false }: { lenient?: boolean } = {},
): AsyncGenerator<HistoryEvent[]> {
  let line = 1;
  for await (const { text, firstLine, tail } of readLines(file)) {
    line = firstLine;
    if (text !== "") {
      const events = parseBatch(file, firstLine, text, lenient ? notes.torn : undefined);
      const headed = firstLine === 1 && isHeader(events[0]);
      if (headed) notes.header = parseHeader(file, events.shift());
      const firstEvent = firstLine + (headed ? 1 : 0);
      for (let at = 0; at < events.length; at += 1) validate(file, firstEvent + at, events[at]);
      yield events as HistoryEvent[];
    }
    if (tail !== undefined && tail.trim() !== "") {
      const last = parseTail(tail);
      if (isHeader(last)) notes.header = parseHeader(file, last);
      else if (problemOf(last) === undefined) yield [last as HistoryEvent];
      else notes.torn.push({ file, line, text: tail });
    }
  }
}

/** One parse for thousands of lines: raw newlines cannot stand inside JSON strings, so they become commas. */
function parseBatch(file: string, firstLine: number, text: string, torn: TornLine[] | undefined): unknown[] {
  try {
    return JSON.parse(`[${text.replaceAll("\n", ",")}]`) as unknown[];
  } catch {
    return text.split("\n").flatMap((line, position) => parseLine(file, firstLine + position, line, torn));
  }
}

function parseLine(file: string, number: number, line: string, torn: TornLine[] | undefined): unknown[] {
  if (line.trim() === "") return [];
  try {
    return [JSON.parse(line)];
  } catch (error) {
    if (!torn) throw broken(file, number, messageOf(error));
    torn.push({ file, line: number, text: line });
    return [];
  }
}

function parseTail(tail: string): unknown {
  try {
    return JSON.parse(tail) as unknown;
  } catch {
    return undefined;
  }
}

function isHeader(value: unknown): boolean {
  return typeof value === "object" && value !== null && "schema" in value;
}

function parseHeader(file: string, value: unknown): HistoryHeader {
  const { schema } = value as { schema: unknown };
  if (schema !== "harness.history/1") {
    const problem = `its schema is ${JSON.stringify(schema)}, this version reads "harness.history/1"`;
    throw broken(file, 1, `${problem}. Use the version of holdfast that wrote it, or a newer one`);
  }
  const parsed = historyHeaderSchema.safeParse(value);
  if (!parsed.success) throw broken(file, 1, parsed.error.issues[0]?.message ?? "the header is broken");
  return parsed.data;
}

function validate(file: string, line: number, event: unknown): void {
  const problem = problemOf(event);
  if (problem !== undefined) throw broken(file, line, problem);
}

function broken(file: string, line: number, problem: string): UsageError {
  return new UsageError(`${basename(file)} cannot be read: line ${line}: ${problem} (${file}).`, {
    code: "BAD_HISTORY",
  });
}
