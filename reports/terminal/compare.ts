import type { CompareResult } from "../../harness/results/compare-schema.ts";
import {
  changeWords,
  compareSetting,
  effectText,
  metricTones,
  metricValue,
  pText,
  thresholdFlags,
} from "../compare/words.ts";
import { visible } from "../escape.ts";
import { formatNumber, formatShare } from "../format.ts";
import { renderFindings } from "./findings.ts";
import type { TerminalOptions } from "./lock.ts";
import { createPaint, type Paint } from "./paint.ts";
import { renderColumns } from "./plain-table.ts";
import { paragraph } from "./text.ts";
import { renderEnding, renderVerdict } from "./verdict.ts";

const mostFindings = 3;

/** The report of `harness compare` on the terminal: correctness first, then metric by metric. */
export function renderCompareTerminal(result: CompareResult, { colour, width, folder }: TerminalOptions): string {
  const paint = createPaint(colour);
  const room = Math.max(40, Math.min(width, 120));
  const sections = [
    renderVerdict(result, compareSetting(result), paint, room),
    differences(result, paint),
    correctness(result, paint),
    result.findings.length === 0 ? "" : renderFindings(result.findings.slice(0, mostFindings), paint, room),
    metrics(result, paint, room),
    calibration(result, paint),
    result.warnings.map((warning) => paragraph(`Warning: ${visible(warning, 600)}`, room, "  ", "")).join("\n"),
    renderEnding(result.replay, folder, paint),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function calibration(result: CompareResult, paint: Paint): string {
  if (result.calibration === undefined || result.calibration.length === 0) return "";
  const rows = result.calibration
    .slice(0, 60)
    .map(({ name, noise, threshold }) => [visible(name, 60), `±${formatShare(noise)}`, `±${formatShare(threshold)}`]);
  const flags = thresholdFlags(result);
  const advice =
    flags.length === 0 ? "The default thresholds hold on this machine." : `On this machine: ${flags.join(" ")}`;
  return `${renderColumns(["noise of this machine", "reaches", "threshold"], rows, "lrr", paint)}\n${paint.quiet(advice)}`;
}

function differences({ differences: list }: CompareResult, paint: Paint): string {
  if (list.length === 0) return "";
  const rows = list
    .slice(0, 20)
    .map(({ what, base, head, blocking }) => [
      blocking ? paint.tone("bad", visible(what, 40)) : visible(what, 40),
      visible(base, 50),
      visible(head, 50),
    ]);
  return renderColumns(["differs", "base", "head"], rows, "lll", paint);
}

function correctness({ correctness: list }: CompareResult, paint: Paint): string {
  if (list.length === 0) return "";
  const rows = list
    .slice(0, 40)
    .map(({ change, group, what, base, head, fails }) => [
      paint.tone(fails ? "bad" : change === "vanished" ? "good" : "plain", changeWords[change]),
      visible(group, 40),
      visible(what, 60),
      visible(base, 30),
      visible(head, 30),
    ]);
  return renderColumns(["correctness", "of", "what", "base", "head"], rows, "lllll", paint);
}

function metrics({ metrics: list, rounds, paired }: CompareResult, paint: Paint, width: number): string {
  const gated = list.filter((metric) => metric.gated);
  const shown = gated.length > 0 ? gated : list;
  if (shown.length === 0) return "";
  const rows = shown
    .slice(0, 60)
    .map((metric) => [
      visible(metric.name, 60),
      metricValue(metric, metric.base),
      metricValue(metric, metric.head),
      effectText(metric),
      `±${formatShare(metric.threshold)}`,
      pText(metric),
      paint.tone(
        metricTones[metric.verdict],
        metric.note === null ? metric.verdict : `${metric.verdict}: ${visible(metric.note, 80)}`,
      ),
    ]);
  const table = renderColumns(
    ["metric", "base", "head", "effect (95 %)", "threshold", "p", "verdict"],
    rows,
    "lrrrrrl",
    paint,
  );
  const left = list.length - shown.length;
  const more =
    left > 0 ? `\n${paint.quiet(`${formatNumber(left)} more metrics are shown in the report and never gated.`)}` : "";
  return `${table}${more}\n${paint.quiet(paragraph(`base and head are medians over the rounds; the effect is the middle of ${paired ? "the ratios of each pair" : "all their ratios"}, which need not be the ratio of the medians. The round is the sample; p after Holm; ${rounds.needed} rounds or more are needed.`, width, "  ", ""))}`;
}
