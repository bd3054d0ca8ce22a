import { type Piece, pieceOf, planError, type Source } from "./source.ts";

/** One entry of a plan as written, nothing of it understood yet: `name(parameter=value, ...)`. */
export interface FaultEntry {
  name: Piece;
  arguments: readonly { name: Piece; value: Piece }[];
}

/**
 * The entries of a plan, separated by commas or line breaks; `#` starts a comment.
 * Throws `UsageError` that points at what is not understood.
 */
export function parseEntries(source: Source): FaultEntry[] {
  const scanner = new Scanner(source);
  const entries: FaultEntry[] = [];
  scanner.skip(/[\s,]|#[^\n]*/y);
  while (!scanner.atEnd()) {
    entries.push(readEntry(scanner));
    scanner.skip(/[^\S\n]|#[^\n]*/y);
    if (!scanner.atEnd() && !scanner.take(/[,\n]/y)) {
      throw planError(scanner.rest(), "expected a comma, and then the next fault.");
    }
    scanner.skip(/[\s,]|#[^\n]*/y);
  }
  return entries;
}

/** One value that stands alone, quoted or bare. */
export function unquote(written: string): string {
  const text = written.trim();
  const quote = text[0];
  if ((quote !== '"' && quote !== "'") || text.length < 2 || text.at(-1) !== quote) return text;
  return text.slice(1, -1).replace(/\\(.)/gs, "$1");
}

/** Writes a value so that it parses back to the same text. */
export const quoteIfNeeded = (text: string): string =>
  /^[^\s,()'"#=\\]+$/.test(text) ? text : `"${text.replace(/["\\]/g, "\\$&")}"`;

function readEntry(scanner: Scanner): FaultEntry {
  const name = scanner.take(/[a-z][\w-]*/iy);
  if (!name) throw planError(scanner.rest(), "expected the name of a fault, such as redis-pause(at=2s, for=2s).");
  const entry: { name: Piece; arguments: { name: Piece; value: Piece }[] } = { name, arguments: [] };
  scanner.skip(/[^\S\n]/y);
  const opening = scanner.take(/\(/y);
  if (!opening) return entry;
  scanner.skip(/\s/y);
  while (!scanner.take(/\)/y)) {
    if (scanner.atEnd()) throw planError(opening, `this parenthesis is not closed; write ${name.text}(...).`);
    entry.arguments.push(readArgument(scanner, name.text));
    scanner.skip(/[\s,]/y);
  }
  return entry;
}

function readArgument(scanner: Scanner, fault: string): { name: Piece; value: Piece } {
  const name = scanner.take(/[a-z]\w*(?:-\w+)*(?=\s*=)/iy);
  if (!name) {
    const value = readValue(scanner);
    throw planError(value, `"${value.text}" has no name; write ${fault}(name=value), such as for=2s.`);
  }
  scanner.skip(/[\s=]/y);
  const value = readValue(scanner);
  if (value.text === "" && !/^["']/.test(value.source.text.slice(value.start))) {
    throw planError(name, `${name.text} has no value.`);
  }
  return { name, value };
}

/** A value ends at a comma or parenthesis outside of quotes and of its own parentheses. */
function readValue(scanner: Scanner): Piece {
  const start = scanner.position;
  let depth = 0;
  while (!scanner.atEnd()) {
    const quoted = scanner.take(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy);
    if (quoted) continue;
    const quote = scanner.take(/["']/y);
    if (quote) throw planError(quote, "this quote is not closed.");
    const next = scanner.peek();
    if (depth === 0 && (next === "," || next === ")")) break;
    if (next === "(") depth += 1;
    if (next === ")") depth -= 1;
    scanner.position += 1;
  }
  const raw = scanner.source.text.slice(start, scanner.position);
  const trimmed = raw.trimEnd();
  const whole = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')$/s.test(trimmed);
  return pieceOf(scanner.source, start, start + Math.max(trimmed.length, 1), whole ? unquote(trimmed) : trimmed);
}

class Scanner {
  position = 0;
  readonly source: Source;

  constructor(source: Source) {
    this.source = source;
  }

  atEnd(): boolean {
    return this.position >= this.source.text.length;
  }

  peek(): string | undefined {
    return this.source.text[this.position];
  }

  /** What matches a sticky pattern here; moves behind it. */
  take(pattern: RegExp): Piece | undefined {
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.source.text);
    if (!match) return undefined;
    const start = this.position;
    this.position += match[0].length;
    return pieceOf(this.source, start, this.position);
  }

  skip(pattern: RegExp): void {
    while (!this.atEnd() && this.take(pattern));
  }

  rest(): Piece {
    const end = this.source.text.length;
    return pieceOf(this.source, Math.min(this.position, Math.max(0, end - 1)), Math.min(this.position + 1, end));
  }
}
