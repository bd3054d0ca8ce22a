import type { AnyResult } from "../result.ts";
import { spokenVerdict } from "../verdict.ts";
import { inline, statusSign } from "./table.ts";

/** The heading of every report, and the reason where it adds to it. */
export function markdownVerdict(result: AnyResult): string[] {
  const { word, headline, reason } = spokenVerdict(result);
  const sign = word === undefined ? statusSign[result.status] : "▫️";
  return [
    `## ${sign} ${word ?? result.status}: ${inline(headline, 800)}`,
    ...(reason === undefined ? [] : [inline(reason, 1000)]),
  ];
}
