import { visible } from "../escape.ts";
import type { AnyResult } from "../result.ts";
import { spokenVerdict } from "../verdict.ts";
import type { Paint } from "./paint.ts";
import { columns, paragraph } from "./text.ts";

/** The first lines of every report: the word, the sentence, the reason, what was run. */
export function renderVerdict(result: AnyResult, setting: string, paint: Paint, width: number): string {
  const { word, headline, reason } = spokenVerdict(result);
  const badge = word === undefined ? paint.status(result.status) : paint.strong(word.toUpperCase());
  const indent = " ".repeat(columns(badge) + 2);
  return [
    paragraph(paint.strong(headline), width, indent, `${badge}  `),
    ...(reason === undefined ? [] : [paragraph(visible(reason, 1000), width, indent)]),
    paint.quiet(paragraph(setting, width, indent)),
  ].join("\n");
}

/** The last lines of every report: how to do it again, and where more is to be seen. */
export function renderEnding(replay: string, folder: string, paint: Paint): string {
  return [
    `Again:   ${paint.link(visible(replay, 2000))}`,
    `Report:  ${paint.link(visible(`${folder.replace(/\/$/, "")}/report.html`, 1000))}`,
  ].join("\n");
}
