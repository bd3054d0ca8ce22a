import type { MatrixCell, MatrixResult } from "../../harness/results/matrix-schema.ts";
import { visible } from "../escape.ts";
import { formatNumber } from "../format.ts";
import { cellDetail, cellOf, matrixSetting, verdictWords } from "../matrix/summary.ts";
import { renderFindings } from "./findings.ts";
import type { TerminalOptions } from "./lock.ts";
import { createPaint, type Paint } from "./paint.ts";
import { renderColumns } from "./plain-table.ts";
import { columns, paragraph } from "./text.ts";
import { renderEnding, renderVerdict } from "./verdict.ts";

const mostShown = 6;

/** The report of `harness matrix` on the terminal: the grid, then what broke. */
export function renderMatrixTerminal(result: MatrixResult, { colour, width, folder }: TerminalOptions): string {
  const paint = createPaint(colour);
  const room = Math.max(40, Math.min(width, 120));
  const onPurpose = new Set(result.locks.filter(({ brokenOnPurpose }) => brokenOnPurpose).map(({ name }) => name));
  const bad = result.cells.filter(
    ({ verdict, lock }) => (verdict === "broke" || verdict === "hung") && !onPurpose.has(lock),
  );
  const left = bad.length - mostShown;
  const sections = [
    renderVerdict(result, matrixSetting(result), paint, room),
    ...grids(result, paint, Math.max(60, width)),
    Object.values(verdictWords)
      .map(({ sign, word }) => `${sign} ${word}`)
      .join("   "),
    renderSelfTest(result, paint),
    ...bad.slice(0, mostShown).map((cell) => renderCell(cell, paint, room)),
    left > 0 ? `${formatNumber(left)} more cells broke; their evidence is in the report.` : "",
    unknown(result, room),
    result.warnings.map((warning) => paragraph(`Warning: ${visible(warning, 600)}`, room, "  ", "")).join("\n"),
    renderEnding(result.replay, folder, paint),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

/** Locks across; where they do not fit the width, another grid follows. */
function grids(result: MatrixResult, paint: Paint, width: number): string[] {
  const labelWidth = Math.max(8, ...result.scenarios.map(({ name }) => columns(visible(name, 30))));
  const parts: (typeof result.locks)[] = [[]];
  let used = labelWidth;
  for (const lock of result.locks) {
    const needed = Math.max(12, columns(visible(lock.name, 36)), ...result.cells.map(cellWidth(lock.name))) + 3;
    if (used + needed > width && parts.at(-1)?.length !== 0) {
      parts.push([]);
      used = labelWidth;
    }
    parts.at(-1)?.push(lock);
    used += needed;
  }
  return parts.map((locks) =>
    renderColumns(
      ["scenario", ...locks.map(({ name }) => visible(name, 36))],
      result.scenarios.map(({ name }) => [
        visible(name, 30),
        ...locks.map((lock) => {
          const cell = cellOf(result, lock.name, name);
          if (cell === undefined) return "";
          return paint.tone(verdictWords[cell.verdict].tone, cellText(cell));
        }),
      ]),
      "l".repeat(locks.length + 1),
      paint,
    ),
  );
}

/** "✗ exclusion +2": the sign, the first check, how many more. */
function cellText({ verdict, checks }: MatrixCell): string {
  const [first = ""] = checks;
  const more = checks.length > 1 ? ` +${checks.length - 1}` : "";
  return `${verdictWords[verdict].sign} ${visible(first, 24)}${more}`.trim();
}

const cellWidth = (lock: string) => (cell: MatrixCell) => (cell.lock === lock ? columns(cellText(cell)) : 0);

/** Which check had to find which broken lock, and where nothing was to be found. */
function renderSelfTest({ selfTest = [] }: MatrixResult, paint: Paint): string {
  if (selfTest.length === 0) return "";
  const signs = { "as expected": "✓", missed: "✗", "false alarm": "✗", "not reached": "?" } as const;
  return renderColumns(
    ["self-test", "scenario", "to be found by", ""],
    selfTest.map(({ lock, scenario, checks, verdict }) => [
      visible(lock, 40),
      visible(scenario, 30),
      checks.map((check) => visible(check, 20)).join(", ") || "nothing",
      `${signs[verdict]} ${verdict}`,
    ]),
    "llll",
    paint,
  );
}

function renderCell(cell: MatrixCell, paint: Paint, width: number): string {
  const { sign, word } = verdictWords[cell.verdict];
  return [
    `${paint.tone("bad", sign)} ${paint.strong(`${visible(cell.lock, 60)} in ${visible(cell.scenario, 60)}`)}  ${word}: ${cellDetail(cell)}`,
    paragraph(visible(cell.reason, 600), width, "  "),
    ...(cell.evidence.length > 0 ? [renderFindings(cell.evidence.slice(0, 1), paint, width)] : []),
    `  Again: ${paint.link(visible(cell.replay, 500))}`,
  ].join("\n");
}

function unknown({ cells }: MatrixResult, width: number): string {
  return cells
    .filter(({ verdict }) => verdict === "unknown")
    .slice(0, 10)
    .map(({ lock, scenario, reason }) =>
      paragraph(`? ${visible(lock, 60)} in ${visible(scenario, 60)}: ${visible(reason, 300)}`, width, "  ", ""),
    )
    .join("\n");
}
