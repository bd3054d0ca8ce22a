import { type FileHandle, open, rename, rm } from "node:fs/promises";
import type { HistoryHeader } from "../contracts/history.ts";
import { storageErrorOf } from "../storage-error.ts";
import { readLines } from "./lines.ts";
import type { TornLine } from "./read.ts";

export interface MergeOutcome {
  events: number;
  torn: TornLine[];
}

/**
 * Merges the journals of processes into one history, in the order of time; equal times keep the order of `files`.
 * Streams: a journal is opened when its time has come and closed at its end. The file appears under its name only when
 * it is whole. Torn last lines are left out and reported.
 * @throws StorageError when it cannot be written; the journals are as they were
 */
export async function mergeJournals(
  files: readonly string[],
  options: { to: string; header: HistoryHeader },
): Promise<MergeOutcome> {
  try {
    return await merge(files, options);
  } catch (error) {
    await rm(`${options.to}.partial`, { force: true });
    throw storageErrorOf(error, options.to);
  }
}

async function merge(
  files: readonly string[],
  { to, header }: { to: string; header: HistoryHeader },
): Promise<MergeOutcome> {
  const torn: TornLine[] = [];
  const waiting: Cursor[] = [];
  for (const [order, file] of files.entries()) {
    const firstNs = await firstTime(file);
    if (firstNs !== undefined)
      waiting.push({ order, atNs: firstNs - HELD_BACK_NS, lines: [], next: 0, source: orderedLines(file, torn) });
  }
  waiting.sort((a, b) => b.atNs - a.atNs || b.order - a.order);

  const partial = `${to}.partial`;
  const out = await open(partial, "w");
  const heap = new CursorHeap();
  let events = 0;
  try {
    const write = bufferedWriter(out);
    await write(JSON.stringify(header));
    for (;;) {
      const soonest = heap.peek();
      const unopened = waiting.at(-1);
      if (unopened && (!soonest || unopened.atNs <= soonest.atNs)) {
        waiting.pop();
        if (await refill(unopened)) heap.push(unopened);
        continue;
      }
      if (!soonest) break;
      const pending = write(soonest.lines[soonest.next]!.text);
      if (pending) await pending;
      events += 1;
      soonest.next += 1;
      if (soonest.next < soonest.lines.length || (await refill(soonest))) {
        soonest.atNs = soonest.lines[soonest.next]!.atNs;
        heap.sink();
      } else {
        heap.pop();
      }
    }
    await write.flush();
    await out.sync();
  } finally {
    await out.close();
  }
  await rename(partial, to);
  return { events, torn };
}

interface TimedLine {
  atNs: number;
  text: string;
}

interface Cursor {
  order: number;
  atNs: number;
  lines: TimedLine[];
  next: number;
  source: AsyncGenerator<TimedLine[]>;
}

async function refill(cursor: Cursor): Promise<boolean> {
  for (;;) {
    const { value, done } = await cursor.source.next();
    if (done) return false;
    if (value.length === 0) continue;
    cursor.lines = value;
    cursor.next = 0;
    cursor.atNs = value[0]!.atNs;
    return true;
  }
}

/** A process stamps before it writes: its lines may be out of order by as much as it was held up in between. */
const HELD_BACK_NS = 30e9;
const JOURNAL_CHUNK = 1 << 18;

async function* orderedLines(file: string, torn: TornLine[]): AsyncGenerator<TimedLine[]> {
  let held: TimedLine[] = [];
  let latestNs = Number.NEGATIVE_INFINITY;
  let ordered = true;
  const hold = (text: string, line: number) => {
    if (text.trim() === "") return;
    const atNs = timeOf(text);
    if (atNs === undefined) {
      torn.push({ file, line, text });
      return;
    }
    if (atNs >= latestNs) latestNs = atNs;
    else ordered = false;
    held.push({ atNs, text });
  };
  for await (const { text, firstLine, tail } of readLines(file, JOURNAL_CHUNK)) {
    let line = firstLine;
    for (const each of text.split("\n")) hold(each, line++);
    if (tail !== undefined) hold(tail, firstLine);
    if (!ordered) held.sort((a, b) => a.atNs - b.atNs);
    ordered = true;
    const ready = held.findIndex(({ atNs }) => atNs > latestNs - HELD_BACK_NS);
    // Not for a few lines: what stays is copied each time.
    if (ready > held.length / 4) {
      yield held.slice(0, ready);
      held = held.slice(ready);
    }
  }
  yield held;
}

/** The time of a line, if it is whole JSON. Most start with it and end with a brace, and hold no other line's start. */
function timeOf(text: string): number | undefined {
  const leading = /^\{"atNs":(-?\d+),.*\}$/.exec(text)?.[1];
  if (leading !== undefined && !text.includes('{"atNs":', 1)) return Number(leading);
  try {
    const { atNs } = JSON.parse(text) as { atNs?: unknown };
    return typeof atNs === "number" ? atNs : undefined;
  } catch {
    return undefined;
  }
}

async function firstTime(file: string): Promise<number | undefined> {
  for await (const { text, tail } of readLines(file, 4096)) {
    const line = text === "" ? tail : text.slice(0, text.indexOf("\n") >>> 0);
    if (line !== undefined && line.trim() !== "") return timeOf(line) ?? 0;
  }
  return undefined;
}

interface BufferedWriter {
  (line: string): Promise<void> | undefined;
  flush(): Promise<void>;
}

function bufferedWriter(out: FileHandle): BufferedWriter {
  let pending: string[] = [];
  let size = 0;
  const flush = async () => {
    if (pending.length === 0) return;
    const text = `${pending.join("\n")}\n`;
    pending = [];
    size = 0;
    await out.writeFile(text);
  };
  const write = (line: string) => {
    pending.push(line);
    size += line.length;
    return size >= 1 << 20 ? flush() : undefined;
  };
  return Object.assign(write, { flush });
}

/** A binary heap of cursors by time, then by order. */
class CursorHeap {
  readonly #items: Cursor[] = [];

  peek(): Cursor | undefined {
    return this.#items[0];
  }

  push(cursor: Cursor): void {
    const items = this.#items;
    let at = items.push(cursor) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(items[at]!, items[parent]!)) break;
      [items[at], items[parent]] = [items[parent]!, items[at]!];
      at = parent;
    }
  }

  pop(): void {
    const last = this.#items.pop();
    if (!last || this.#items.length === 0) return;
    this.#items[0] = last;
    this.sink();
  }

  /** Puts the top back in its place after its time changed. */
  sink(): void {
    const items = this.#items;
    let at = 0;
    for (;;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < items.length && before(items[child]!, items[least]!)) least = child;
      }
      if (least === at) return;
      [items[at], items[least]] = [items[least]!, items[at]!];
      at = least;
    }
  }
}

function before(a: Cursor, b: Cursor): boolean {
  return a.atNs < b.atNs || (a.atNs === b.atNs && a.order < b.order);
}
