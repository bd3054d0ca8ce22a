import { open } from "node:fs/promises";

/** Whole lines of a file, in batches. Text after the last newline is the last batch's `tail`. */
export interface LineBatch {
  /** Complete lines, joined by newlines, without the last newline. May be empty. */
  text: string;
  /** Number of its first line, from 1. */
  firstLine: number;
  /** What stands after the last newline of the file. Only in the last batch. */
  tail?: string;
}

/** Reads a file by chunks of about `chunkBytes`, cut at newlines. A line longer than a chunk is read whole. */
export async function* readLines(file: string, chunkBytes = 4 << 20): AsyncGenerator<LineBatch> {
  const handle = await open(file, "r");
  try {
    let buffer = Buffer.allocUnsafe(chunkBytes);
    let kept = 0;
    let firstLine = 1;
    for (;;) {
      if (kept === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
      const { bytesRead } = await handle.read(buffer, kept, buffer.length - kept, null);
      const filled = kept + bytesRead;
      if (bytesRead === 0) {
        yield { text: "", firstLine, ...(filled > 0 ? { tail: buffer.toString("utf8", 0, filled) } : {}) };
        return;
      }
      const end = buffer.lastIndexOf(NEWLINE, filled - 1);
      if (end >= 0) {
        const text = buffer.toString("utf8", 0, end);
        yield { text, firstLine };
        firstLine += countLines(buffer, end) + 1;
        buffer.copyWithin(0, end + 1, filled);
        kept = filled - end - 1;
      } else {
        kept = filled;
      }
    }
  } finally {
    await handle.close();
  }
}

const NEWLINE = 0x0a;

function countLines(buffer: Buffer, end: number): number {
  let newlines = 0;
  for (let at = buffer.indexOf(NEWLINE); at >= 0 && at < end; at = buffer.indexOf(NEWLINE, at + 1)) newlines += 1;
  return newlines;
}
