import type { MatrixResult } from "../../harness/results/matrix-schema.ts";
import { visible } from "../escape.ts";
import { cellOf, matrixHeadline, matrixSetting, verdictWords } from "../matrix/summary.ts";
import { codeBlock, inline, markdownTable, sentencesList, statusSign } from "./table.ts";

const signs = { held: "✅", broke: "❌", hung: "⌛", unknown: "❔", "not-applicable": "–" } as const;

/** The grid as GitHub-flavoured Markdown. */
export function renderMatrixMarkdown(result: MatrixResult): string {
  const grid = markdownTable(
    ["scenario", ...result.locks.map(({ name }) => inline(name, 40))],
    result.scenarios.map(({ name }) => [
      inline(name, 60),
      ...result.locks.map((lock) => {
        const cell = cellOf(result, lock.name, name);
        return cell === undefined
          ? ""
          : `${signs[cell.verdict]} ${cell.checks.map((check) => inline(check, 30)).join("<br>")}`.trim();
      }),
    ]),
  );
  const legend = Object.entries(signs).map(
    ([verdict, sign]) => `${sign} ${verdictWords[verdict as keyof typeof signs].word}`,
  );
  const broke = result.cells.filter(
    ({ verdict }) => verdict === "broke" || verdict === "hung" || verdict === "unknown",
  );
  const sections = [
    `## ${statusSign[result.status]} ${result.status}: ${inline(matrixHeadline(result), 600)}`,
    inline(result.statusReason, 1000),
    `<sub>${inline(matrixSetting(result))}</sub>`,
    grid,
    `<sub>${legend.join(", ")}</sub>`,
    sentencesList(
      broke
        .slice(0, 40)
        .map(
          ({ lock, scenario, reason }) => `${visible(lock, 60)} in ${visible(scenario, 60)}: ${visible(reason, 300)}`,
        ),
    ),
    sentencesList(result.warnings.map((warning) => `Warning: ${visible(warning, 600)}`)),
    `Run it again:\n\n${codeBlock(visible(result.replay, 2000), "sh")}`,
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}
