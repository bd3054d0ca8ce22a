import type { ComparisonTable } from "../lock/table.ts";
import type { Paint } from "./paint.ts";
import { columns, padEnd, padStart } from "./text.ts";

interface Column {
  head: [string, string];
  cells: string[];
  width: number;
}

/** The table without / with lock beside the article's figures. Too wide for the terminal, it continues below itself. */
export function renderComparisonTable(whole: ComparisonTable, paint: Paint, width: number): string {
  const table = { ...whole, rows: whole.rows.filter(({ detail }) => detail !== true) };
  const labels = table.rows.map((row) => (row.part === true ? `  ${row.label}` : row.label));
  const labelWidth = Math.max(...labels.map(columns), 0);
  const own = table.columns.map(({ role, name }, index) =>
    column(
      [role, name],
      table.rows.map((row) => paint.tone(row.cells[index]?.tone ?? "plain", row.cells[index]?.text ?? "")),
    ),
  );
  const quoted = column(
    ["article:", "without → with"],
    table.rows.map((row) => paint.quiet(row.article)),
  );
  return chunk([...own, quoted], width - labelWidth)
    .map((part) => block(labels, labelWidth, part, paint))
    .join("\n\n");
}

function column(head: [string, string], cells: string[]): Column {
  return { head, cells, width: Math.max(...[...head, ...cells].map(columns)) };
}

function chunk(all: readonly Column[], room: number): Column[][] {
  const chunks: Column[][] = [[]];
  let used = 0;
  for (const one of all) {
    const needed = one.width + 3;
    if (used + needed > room && chunks.at(-1)?.length !== 0) {
      chunks.push([]);
      used = 0;
    }
    chunks.at(-1)?.push(one);
    used += needed;
  }
  return chunks;
}

function block(labels: readonly string[], labelWidth: number, part: readonly Column[], paint: Paint): string {
  const line = (label: string, cells: readonly string[]) =>
    `${padEnd(label, labelWidth)}${part.map(({ width }, index) => `   ${padStart(cells[index] ?? "", width)}`).join("")}`.trimEnd();
  const rule = "─".repeat(labelWidth + part.reduce((sum, { width }) => sum + width + 3, 0));
  return [
    paint.quiet(
      line(
        "",
        part.map(({ head }) => head[0]),
      ),
    ),
    paint.strong(
      line(
        "",
        part.map(({ head }) => head[1]),
      ),
    ),
    paint.quiet(rule),
    ...labels.flatMap((label, row) => {
      const cells = part.map((one) => one.cells[row] ?? "");
      return cells.every((cell) => columns(cell) === 0) ? [] : [line(label, cells)];
    }),
  ].join("\n");
}
