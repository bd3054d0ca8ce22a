import type { LockResult } from "../../harness/results/lock-schema.ts";
import { visible } from "../escape.ts";
import { formatDuration, formatLength, plural } from "../format.ts";
import { articleSentence, comparisonSentences, costSentences, remedySentences } from "../lock/sentences.ts";
import { comparisonTable } from "../lock/table.ts";
import { renderComparisonTable } from "./comparison-table.ts";
import { renderFindings } from "./findings.ts";
import { createPaint, type Paint } from "./paint.ts";
import { paragraph } from "./text.ts";
import { renderEnding, renderVerdict } from "./verdict.ts";

export interface TerminalOptions {
  colour: boolean;
  /** Columns of the terminal. */
  width: number;
  /** Path of the run folder as the user should see it. */
  folder: string;
}

/**
 * The report of `harness lock` on the terminal: verdict, table, findings and what helps against them, cost, and the way to
 * repeat it; reach and the rest of the advice are in the others.
 */
export function renderLockTerminal(result: LockResult, { colour, width, folder }: TerminalOptions): string {
  const paint = createPaint(colour);
  const room = Math.max(40, Math.min(width, 120));
  const sections = [
    renderVerdict(result, setting(result), paint, room),
    renderComparisonTable(comparisonTable(result), paint, Math.max(40, width)),
    findings(result, paint, room),
    remedies(result, paint, room),
    list(
      result.warnings.map((warning) => `Warning: ${visible(warning, 600)}`),
      room,
    ),
    list([...costSentences(result), ...comparisonSentences(result)], room),
    result.arms.some(({ jobs }) => jobs.offered > 0) ? paint.quiet(paragraph(articleSentence, room, "  ", "")) : "",
    renderEnding(result.replay, folder, paint),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function setting({ arms, plan, seed, durationMs }: LockResult): string {
  const faults = plan.profile === null ? "own faults" : `faults ${visible(plan.profile, 60)}`;
  return `${plural(arms.length, "arm")}, ${plural(plan.rounds, "round")} of ${formatDuration(plan.roundMs)} each, ${faults}, seed ${seed}, ${formatLength(durationMs)}.`;
}

function findings(result: LockResult, paint: Paint, width: number): string {
  if (result.findings.length === 0) return "";
  return `${paint.strong("Findings")}\n\n${renderFindings(result.findings, paint, width)}`;
}

function remedies(result: LockResult, paint: Paint, width: number): string {
  const sentences = remedySentences(result);
  return sentences.length === 0 ? "" : `${paint.strong("What helps")}\n\n${list(sentences, width)}`;
}

function list(sentences: readonly string[], width: number, colour: (text: string) => string = (text) => text): string {
  return sentences.map((sentence) => colour(paragraph(sentence, width, "  ", ""))).join("\n");
}
