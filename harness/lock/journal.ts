import { closeSync, openSync, writeSync } from "node:fs";
import type { HistoryEvent } from "../contracts/history.ts";

/** What the journal fills in by itself. */
export type JournalEntry = Omit<HistoryEvent, "atNs" | "round" | "arm" | "worker"> & { atNs?: number; worker?: number };

/**
 * A process's own record of one round of an arm, one event a line. Entries are written together at the end of the tick;
 * `flush` writes them at once, which a worker does before a release call, an effect or a lost signal can be seen by
 * anyone else.
 */
export interface Journal {
  /** Now, in ns since the start of the run. */
  now(): number;
  /** Once the journal is closed, what still comes in is left out. */
  record(entry: JournalEntry): void;
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
}

export function openJournal({ file, startedAtMonotonicNs, ...who }: JournalOptions): Journal {
  const descriptor = openSync(file, "a");
  const startNs = BigInt(startedAtMonotonicNs);
  // The same in nearly every line, and so spelled once.
  const fixed = JSON.stringify(who).slice(1, -1);
  let pending = "";
  let scheduled: NodeJS.Immediate | undefined;
  let closed = false;

  const now = () => Number(process.hrtime.bigint() - startNs);
  const flush = () => {
    if (scheduled) clearImmediate(scheduled);
    scheduled = undefined;
    if (pending === "") return;
    const text = pending;
    pending = "";
    writeWhole(descriptor, text);
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
      scheduled ??= setImmediate(flush);
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

const named = (atNs: number, who: object, entry: object) => `${JSON.stringify({ atNs, ...who, ...entry })}\n`;

/** `writeSync` may write less than it was given, on a full disk for instance, before it fails. */
function writeWhole(descriptor: number, text: string): void {
  let bytes = Buffer.from(text);
  while (bytes.length > 0) bytes = bytes.subarray(writeSync(descriptor, bytes));
}
