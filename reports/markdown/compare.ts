import type { CompareResult } from "../../harness/results/compare-schema.ts";
import { changeWords, compareSetting, effectText, metricValue, pText, thresholdFlags } from "../compare/words.ts";
import { visible } from "../escape.ts";
import { formatShare } from "../format.ts";
import { markdownFindings } from "./findings.ts";
import { codeBlock, inline, markdownTable, sentencesList } from "./table.ts";
import { markdownVerdict } from "./verdict.ts";

const signs = { regressed: "🔺", improved: "🟢", unchanged: "▫️", inconclusive: "❔" } as const;

/** A comparison as GitHub-flavoured Markdown, for a pull request. */
export function renderCompareMarkdown(result: CompareResult): string {
  const gated = result.metrics.filter((metric) => metric.gated);
  const sections = [
    ...markdownVerdict(result),
    `<sub>${inline(compareSetting(result), 400)}</sub>`,
    correctness(result),
    result.findings.length === 0 ? "" : markdownFindings(result.findings.slice(0, 5)),
    metrics(gated),
    calibration(result),
    details("What differs", differences(result)),
    sentencesList(result.warnings.map((warning) => `Warning: ${visible(warning, 600)}`)),
    `Run it again:\n\n${codeBlock(visible(result.replay, 2000), "sh")}`,
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function correctness({ correctness: list }: CompareResult): string {
  if (list.length === 0) return "";
  return markdownTable(
    ["correctness", "of", "what", "base", "head"],
    list
      .slice(0, 40)
      .map(({ change, group, what, base, head, fails }) => [
        `${fails ? "❌" : ""} ${changeWords[change]}`.trim(),
        inline(group, 60),
        inline(what, 80),
        inline(base, 40),
        inline(head, 40),
      ]),
    5,
  );
}

function metrics(gated: CompareResult["metrics"]): string {
  if (gated.length === 0) return "";
  return markdownTable(
    ["metric", "base", "head", "effect (95 %)", "threshold", "p", "verdict"],
    gated.map((metric) => [
      inline(metric.name, 80),
      metricValue(metric, metric.base),
      metricValue(metric, metric.head),
      effectText(metric),
      `±${formatShare(metric.threshold)}`,
      pText(metric).replace("<", "&lt;"),
      `${signs[metric.verdict]} ${metric.verdict}${metric.note === null ? "" : `<br><sub>${inline(metric.note, 100)}</sub>`}`,
    ]),
  );
}

function calibration(result: CompareResult): string {
  if (result.calibration === undefined || result.calibration.length === 0) return "";
  const rows = result.calibration.map(({ name, noise, threshold }) => [
    inline(name, 80),
    `±${formatShare(noise)}`,
    `±${formatShare(threshold)}`,
  ]);
  const flags = thresholdFlags(result);
  const advice = flags.length === 0 ? "The default thresholds hold on this machine." : codeBlock(flags.join(" "), "sh");
  return `${markdownTable(["noise of this machine", "reaches", "threshold"], rows)}\n\n${advice}`;
}

function differences({ differences: list }: CompareResult): string {
  if (list.length === 0) return "";
  return markdownTable(
    ["what", "base", "head"],
    list.slice(0, 40).map(({ what, base, head }) => [inline(what, 60), inline(base, 120), inline(head, 120)]),
    3,
  );
}

function details(summary: string, content: string): string {
  return content === "" ? "" : `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`;
}
