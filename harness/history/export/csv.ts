import type { HistoryEvent } from "../../contracts/history.ts";
import type { ExportFormat } from "./format.ts";

const COLUMNS = [
  "atNs",
  "round",
  "arm",
  "worker",
  "incarnation",
  "op",
  "phase",
  "outcome",
  "execution",
  "job",
  "key",
  "attempt",
  "token",
  "fencingToken",
  "validUntilMs",
  "wallMs",
  "error",
  "detail",
] as const satisfies readonly (keyof HistoryEvent)[];

/** One row an event, as RFC 4180 has it; the detail as JSON. */
export const csv: ExportFormat = {
  name: "csv",
  summary: "One row an event, for spreadsheets, DuckDB and data frames",
  file: "history.csv",
  write({ events }) {
    const rows = events.map((event) => COLUMNS.map((column) => cell(event[column])).join(","));
    return `${[COLUMNS.join(","), ...rows].join("\r\n")}\r\n`;
  },
};

function cell(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  // What begins like a formula would be one to a spreadsheet.
  const safe = typeof value === "string" && /^[=+@\t\r-]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
