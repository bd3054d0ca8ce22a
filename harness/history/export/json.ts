import type { ExportFormat } from "./format.ts";

export const json: ExportFormat = {
  name: "json",
  summary: "One JSON document: the header and a list of events",
  file: "history.json",
  write: ({ header, events }) => `${JSON.stringify({ header: header ?? null, events })}\n`,
};
