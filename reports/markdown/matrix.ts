import type { MatrixCell, MatrixResult } from "../../harness/results/matrix-schema.ts";
import { visible } from "../escape.ts";
import { cellDetail, cellOf, matrixSetting, verdictWords } from "../matrix/summary.ts";
import { codeBlock, inline, markdownTable, sentencesList } from "./table.ts";
import { markdownVerdict } from "./verdict.ts";

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
    result.locks.length + 1,
  );
  const legend = Object.entries(signs).map(
    ([verdict, sign]) => `${sign} ${verdictWords[verdict as keyof typeof signs].word}`,
  );
  const sections = [
    ...markdownVerdict(result),
    `<sub>${inline(matrixSetting(result))}</sub>`,
    grid,
    `<sub>${legend.join(", ")}</sub>`,
    selfTestSection(result),
    ...result.locks.map(({ name }) => lockSection(result, name)),
    sentencesList(result.warnings.map((warning) => `Warning: ${visible(warning, 600)}`)),
    `Run it again:\n\n${codeBlock(visible(result.replay, 2000), "sh")}`,
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function selfTestSection({ selfTest = [] }: MatrixResult): string {
  if (selfTest.length === 0) return "";
  return markdownTable(
    ["self-test", "scenario", "to be found by", "verdict"],
    selfTest.map(({ lock, scenario, checks, verdict }) => [
      inline(lock, 60),
      inline(scenario, 60),
      checks.map((check) => inline(check, 30)).join(", ") || "nothing",
      verdict,
    ]),
    4,
  );
}

const mostCells = 60;

/** What happened to one lock where it did not hold: the scenario, the checks, and a line of evidence. */
function lockSection({ cells }: MatrixResult, lock: string): string {
  const own = cells.filter(
    (cell) => cell.lock === lock && cell.verdict !== "held" && cell.verdict !== "not-applicable",
  );
  if (own.length === 0) return "";
  const lines = own
    .slice(0, mostCells)
    .map(
      (cell) =>
        `- ${signs[cell.verdict]} ${`**${inline(cell.scenario, 60)}** ${inline(cellDetail(cell), 200)}`.trim()}: ${inline(evidenceLine(cell), 400)}`,
    );
  const count = (verdict: MatrixCell["verdict"]) => own.filter((cell) => cell.verdict === verdict).length;
  const counts = (["broke", "hung", "unknown"] as const)
    .filter((verdict) => count(verdict) > 0)
    .map((verdict) => `${count(verdict)} ${verdictWords[verdict].word}`);
  return `<details><summary><b>${inline(lock, 60)}</b>: ${counts.join(", ")}</summary>\n\n${lines.join("\n")}\n\n</details>`;
}

/** The reason without the names of the checks, which stand before it. */
function evidenceLine({ reason, evidence }: MatrixCell): string {
  return evidence[0] ? `${evidence[0].class}: ${evidence[0].message}` : reason;
}
