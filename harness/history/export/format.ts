import type { HistoryEvent, HistoryHeader } from "../../contracts/history.ts";

export interface WholeHistory {
  header: HistoryHeader | undefined;
  /** By round and arm as they ran, each in the order of time. */
  events: readonly HistoryEvent[];
}

/** A form in which other programs read a history. Pure. */
export interface ExportFormat {
  name: string;
  /** One sentence, without a full stop at the end. */
  summary: string;
  /** Name of the file beside the history. */
  file: string;
  write(history: WholeHistory): string | Uint8Array;
}
