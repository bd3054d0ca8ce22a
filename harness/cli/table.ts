import { wrap } from "./wrap.ts";

export type Row = readonly [name: string, text: string];

const widestColumn = 30;

/** Where the explanations start, so that tables below one another line up. */
export const columnOf = (rows: readonly Row[]): number =>
  Math.min(widestColumn, Math.max(0, ...rows.map(([name]) => name.length)) + 4);

/** Name and explanation side by side; a name that is too long gets a line of its own. */
export function table(rows: readonly Row[], width: number, column: number = columnOf(rows)): string[] {
  const indent = " ".repeat(column);
  return rows.flatMap(([name, text]) => {
    const [first = "", ...rest] = wrap(text, Math.max(30, width - column));
    const head = `  ${name}`;
    const lines = head.length + 2 > column ? [head, indent + first] : [head.padEnd(column) + first];
    return [...lines, ...rest.map((line) => indent + line)].map((line) => line.trimEnd());
  });
}
