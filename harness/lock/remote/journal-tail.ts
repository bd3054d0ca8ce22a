import { closeSync, existsSync, openSync, readSync } from "node:fs";

const LOOK_EVERY_MS = 50;
const CHUNK = 1 << 18;

export interface JournalTail {
  /** What is there now, a line that was cut off included; nothing is told afterwards. */
  end(): void;
}

/** Tells what a process adds to its journal, in whole lines. */
export function followJournal(file: string, onText: (text: string) => void): JournalTail {
  let descriptor: number | undefined;
  let position = 0;
  let kept = Buffer.alloc(0);
  const buffer = Buffer.allocUnsafe(CHUNK);
  const look = () => {
    if (descriptor === undefined && existsSync(file)) descriptor = openSync(file, "r");
    if (descriptor === undefined) return;
    for (;;) {
      const read = readSync(descriptor, buffer, 0, CHUNK, position);
      if (read === 0) return;
      position += read;
      const text = Buffer.concat([kept, buffer.subarray(0, read)]);
      const end = text.lastIndexOf(0x0a) + 1;
      if (end > 0) onText(text.toString("utf8", 0, end));
      kept = text.subarray(end);
    }
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    end() {
      clearInterval(timer);
      look();
      if (kept.length > 0) onText(`${kept.toString("utf8")}\n`);
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
}
