import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ArmRound } from "../contracts/check.ts";
import type { HistoryHeader } from "../contracts/history.ts";
import { UsageError } from "../errors.ts";
import { binary, decodeHistory } from "./export/binary.ts";
import { type ReadNotes, readEvents, type TornLine } from "./read.ts";
import { collectRounds } from "./rounds.ts";

export const HISTORY_FILE = "history.ndjson";
export const JOURNALS_FOLDER = "journals";

export interface StoredHistory {
  armRounds: ArmRound[];
  header?: HistoryHeader;
  torn: TornLine[];
  /** False: read from the journals of the processes, since the run ended before they were merged. */
  merged: boolean;
  events: number;
}

/** Reads the history of a run folder: the merged one, or, of an interrupted run, its journals. */
export async function readStoredHistory(folder: string): Promise<StoredHistory> {
  const file = join(folder, HISTORY_FILE);
  const merged = existsSync(file);
  if (!merged && existsSync(join(folder, binary.file))) return readBinary(join(folder, binary.file));
  const files = merged ? [file] : journalsOf(folder);
  if (files.length === 0) {
    throw new UsageError(`There is no history in ${folder}: neither ${HISTORY_FILE} nor ${JOURNALS_FOLDER}/*.ndjson.`, {
      code: "NO_HISTORY",
    });
  }
  const rounds = collectRounds();
  const torn: TornLine[] = [];
  let header: HistoryHeader | undefined;
  let events = 0;
  for (const each of files) {
    const notes: ReadNotes = { torn };
    for await (const batch of readEvents(each, notes, { lenient: !merged })) {
      events += batch.length;
      rounds.add(batch);
    }
    header ??= notes.header;
  }
  return { armRounds: rounds.rounds(), ...(header ? { header } : {}), torn, merged, events };
}

/** What `harness export --format binary` wrote, where the history itself was removed to save room. */
function readBinary(file: string): StoredHistory {
  const { header, events } = decodeHistory(readFileSync(file), file);
  const rounds = collectRounds();
  rounds.add(events);
  return { armRounds: rounds.rounds(), ...(header ? { header } : {}), torn: [], merged: true, events: events.length };
}

/** The journals of a run folder, by name. */
export function journalsOf(folder: string): string[] {
  const journals = join(folder, JOURNALS_FOLDER);
  if (!existsSync(journals)) return [];
  const names = readdirSync(journals, { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".ndjson"))
    .sort()
    .map((name) => join(journals, name));
}
