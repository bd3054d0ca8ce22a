import type { BenchResult } from "../../harness/results/bench-schema.ts";
import { benchSetting, figure, goalText, ratioText } from "../bench/summary.ts";
import { visible } from "../escape.ts";
import { codeBlock, inline, markdownTable, sentencesList } from "./table.ts";
import { markdownVerdict } from "./verdict.ts";

/** Benchmarks as GitHub-flavoured Markdown. */
export function renderBenchMarkdown(result: BenchResult): string {
  const rows = result.benchmarks.map((one) => [
    `${inline(one.group, 40)}: ${inline(one.name, 80)}`,
    inline(figure(one.p50, one.unit)),
    inline(figure(one.p99, one.unit)),
    inline(ratioText(one)),
    inline(goalText(one)),
  ]);
  const sections = [
    ...markdownVerdict(result),
    `<sub>${inline(benchSetting(result))}</sub>`,
    markdownTable(["benchmark", "P50", "P99", "ratio", "goal"], rows),
    sentencesList(result.warnings.map((warning) => `Warning: ${visible(warning, 600)}`)),
    `Run it again:\n\n${codeBlock(visible(result.replay, 2000), "sh")}`,
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}
