import type { Status } from "../../harness/results/common-schema.ts";
import { visible } from "../escape.ts";
import type { Paint } from "./paint.ts";
import { columns, paragraph } from "./text.ts";

/** The first lines of every report: the word, the sentence, the reason, what was run. */
export function renderVerdict(
  { status, statusReason }: { status: Status; statusReason: string },
  headline: string,
  setting: string,
  paint: Paint,
  width: number,
  /** Instead of the status, where that would say too much. */
  word?: string,
): string {
  const badge = word === undefined ? paint.status(status) : paint.strong(word.toUpperCase());
  const indent = " ".repeat(columns(badge) + 2);
  return [
    paragraph(paint.strong(headline), width, indent, `${badge}  `),
    paragraph(visible(statusReason, 1000), width, indent),
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
