import { UsageError } from "../../errors.ts";

/** A text that a plan was written in, and how to call it in messages: `--faults`, `plan.yaml`. */
export interface Source {
  name: string;
  text: string;
}

/** A part of a source: its meaning (quotes removed) and where it stands. */
export interface Piece {
  text: string;
  source: Source;
  /** Offsets into the source's text; `end` is excluded. */
  start: number;
  end: number;
}

const shownColumns = 100;

/** A plan that cannot be. Its message shows the line of the source and points at the offending piece. */
export function planError(piece: Piece, message: string): UsageError {
  const { source, start, end } = piece;
  const lineStart = source.text.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = source.text.indexOf("\n", lineStart);
  const line = source.text.slice(lineStart, lineEnd === -1 ? undefined : lineEnd);
  const row = source.text.slice(0, lineStart).split("\n").length;
  const column = start - lineStart;
  const length = Math.max(1, Math.min(end, lineStart + line.length) - start);
  // A long line is cropped so that the piece is in view.
  const from = column + length > shownColumns ? Math.max(0, column - 30) : 0;
  const shown = line.slice(from, from + shownColumns).replaceAll("\t", " ");
  const place = source.text.includes("\n") ? `${source.name}:${row}:${column + 1}` : source.name;
  const pointer = " ".repeat(column - from) + "^".repeat(Math.min(length, shownColumns - (column - from)));
  return new UsageError(`${place}: ${message}\n  ${shown}\n  ${pointer}`, { code: "BAD_FAULT_PLAN" });
}

export const pieceOf = (source: Source, start: number, end: number, text = source.text.slice(start, end)): Piece => ({
  text,
  source,
  start,
  end,
});
