import { closeSync, openSync, writeSync } from "node:fs";
import type { HistoryEvent } from "../contracts/history.ts";
import { storageErrorOf, writing } from "../storage-error.ts";

/** What the journal fills in by itself. */
export type JournalEntry = Omit<HistoryEvent, "atNs" | "round" | "arm" | "worker"> & { atNs?: number; worker?: number };

/**
 * A process's own record of one round of an arm, one event a line. Entries are written together at the end of the tick;
 * `flush` writes them at once, which a worker does before an acquire or a release call, an effect or a lost signal can be
 * seen by anyone else.
 */
export interface Journal {
  /** Now, in ns since the start of the run. */
  now(): number;
  /** Once the journal is closed, what still comes in is left out. */
  record(entry: JournalEntry): void;
  /** The same for a hot path: fields of an entry of now, spelled as JSON already, without the braces around them. */
  recordSpelled(fields: string): void;
  flush(): void;
  close(): void;
}

export interface JournalOptions {
  file: string;
  startedAtMonotonicNs: string;
  round: number;
  arm: string;
  worker: number;
  incarnation?: number;
  /**
   * Writes what was recorded after so many ms, instead of at the end of the tick: for a process that nobody kills on
   * purpose, and whose work at each event would be in the way of those who are being watched.
   */
  writeAfterMs?: number;
  /** Told once when the journal cannot be written any more; what comes after is left out. Absent: it is thrown. */
  onFailure?(error: unknown): void;
}

/** @throws StorageError when it cannot be opened */
export function openJournal({ file, startedAtMonotonicNs, writeAfterMs, onFailure, ...who }: JournalOptions): Journal {
  const descriptor = writing(file, () => openSync(file, "a"));
  const startNs = BigInt(startedAtMonotonicNs);
  // The same in nearly every line, and so spelled once.
  const fixed = JSON.stringify(who).slice(1, -1);
  const write = wholeWriter(descriptor);
  let pending = "";
  let scheduled: { cancel(): void } | undefined;
  let closed = false;
  let failed = false;

  const now = () => Number(process.hrtime.bigint() - startNs);
  const flush = () => {
    scheduled?.cancel();
    scheduled = undefined;
    if (pending === "") return;
    const text = pending;
    pending = "";
    if (failed) return;
    try {
      write(text);
    } catch (error) {
      failed = true;
      const told = storageErrorOf(error, file);
      if (!onFailure) throw told;
      onFailure(told);
    }
  };

  return {
    now,
    record(entry) {
      if (closed) return;
      pending +=
        entry.worker !== undefined
          ? named(now(), who, entry)
          : entry.atNs === undefined
            ? `{"atNs":${now()},${fixed},${JSON.stringify(entry).slice(1)}\n`
            : `{${fixed},${JSON.stringify(entry).slice(1)}\n`;
      scheduled ??= schedule(flush, writeAfterMs);
    },
    recordSpelled(fields) {
      if (closed) return;
      pending += `{"atNs":${now()},${fixed},${fields}}\n`;
      scheduled ??= schedule(flush, writeAfterMs);
    },
    flush,
    close() {
      if (closed) return;
      flush();
      closed = true;
      closeSync(descriptor);
    },
  };
}

function schedule(run: () => void, afterMs: number | undefined): { cancel(): void } {
  if (afterMs === undefined) {
    const immediate = setImmediate(run);
    return { cancel: () => clearImmediate(immediate) };
  }
  const timer = setTimeout(run, afterMs);
  return { cancel: () => clearTimeout(timer) };
}

const named = (atNs: number, who: object, entry: object) => `${JSON.stringify({ atNs, ...who, ...entry })}\n`;

const BUFFER_BYTES = 1 << 16;
/** No character of a JavaScript string takes more bytes than this in UTF-8. */
const MOST_BYTES_A_CHARACTER = 3;

/**
 * Writes texts whole: `writeSync` may write less than it was given, on a full disk for instance, before it fails. Most
 * texts are short, and share one buffer.
 */
function wholeWriter(descriptor: number): (text: string) => void {
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  return (text) => {
    const fits = text.length * MOST_BYTES_A_CHARACTER <= BUFFER_BYTES;
    let bytes = fits ? buffer.subarray(0, buffer.write(text)) : Buffer.from(text);
    while (bytes.length > 0) bytes = bytes.subarray(writeSync(descriptor, bytes));
  };
}
