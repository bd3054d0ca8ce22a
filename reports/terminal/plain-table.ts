import type { Paint } from "./paint.ts";
import { columns, padEnd, padStart } from "./text.ts";

/** A table; `align` has a letter for each column: l or r. */
export function renderColumns(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  align: string,
  paint: Paint,
): string {
  const widths = head.map((title, index) => Math.max(columns(title), ...rows.map((row) => columns(row[index] ?? ""))));
  const line = (cells: readonly string[]) =>
    widths
      .map((width, index) => (align[index] === "r" ? padStart : padEnd)(cells[index] ?? "", width))
      .join("   ")
      .trimEnd();
  const rule = "─".repeat(widths.reduce((sum, width) => sum + width + 3, -3));
  return [paint.quiet(line(head)), paint.quiet(rule), ...rows.map(line)].join("\n");
}
