import type { BenchResult } from "../../harness/results/bench-schema.ts";
import { benchSetting, figure, goalText, groupsOf, ratioText } from "../bench/summary.ts";
import { visible } from "../escape.ts";
import { formatNumber } from "../format.ts";
import type { TerminalOptions } from "./lock.ts";
import { createPaint } from "./paint.ts";
import { renderColumns } from "./plain-table.ts";
import { paragraph } from "./text.ts";
import { renderEnding, renderVerdict } from "./verdict.ts";

/** The report of `harness bench` on the terminal. */
export function renderBenchTerminal(result: BenchResult, { colour, width, folder }: TerminalOptions): string {
  const paint = createPaint(colour);
  const room = Math.max(40, Math.min(width, 120));
  const head = ["", "P50", "P99", "samples", "ratio", "goal"];
  const tables = [...groupsOf(result.benchmarks)].map(([group, benchmarks]) => {
    const rows = benchmarks.map((one) => [
      visible(one.name, 60),
      figure(one.p50, one.unit),
      figure(one.p99, one.unit),
      formatNumber(one.samples),
      ratioText(one),
      paint.tone(one.goal?.met === false ? "bad" : one.goal === null ? "plain" : "good", goalText(one)),
    ]);
    return `${paint.strong(visible(group, 60))}\n${renderColumns(head, rows, "lrrrll", paint)}`;
  });
  const sections = [
    renderVerdict(result, benchSetting(result), paint, room),
    ...tables,
    result.warnings.map((warning) => paragraph(`Warning: ${visible(warning, 600)}`, room, "  ", "")).join("\n"),
    renderEnding(result.replay, folder, paint),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}
