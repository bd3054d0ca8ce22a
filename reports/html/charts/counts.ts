import { formatNumber } from "../../format.ts";
import { clip, html, type Markup, name } from "../markup.ts";
import { drawing, figure, type Size } from "./figure.ts";

/** Counts by name as bars; a zero is said, not left out. */
export function countBars(
  id: string,
  title: string,
  note: string,
  counts: readonly (readonly [string, number])[],
): Markup {
  const shown = counts.slice(0, 40);
  const highest = Math.max(1, ...shown.map(([, count]) => count));
  const draw = (size: Size) => {
    const labelWidth = size.compact ? 4 : 380;
    const rowHeight = size.compact ? 38 : 20;
    const rows = shown.map(([label, count], index) => {
      const y = 4 + index * rowHeight + (size.compact ? 17 : 0);
      const width = (count / highest) * (size.width - labelWidth - 74);
      const bar =
        count > 0
          ? html`<rect class="bar" x="${labelWidth}" y="${y + 3}" width="${Math.max(1, width)}" height="13" rx="2"/>`
          : "";
      return html`${size.compact ? html`<text class="label" x="4" y="${y - 2}">${clip(label, 48)}</text>` : html`<text class="label" x="${labelWidth - 8}" y="${y + 14}" text-anchor="end">${clip(label, 58)}</text>`}${bar}<text class="label${count === 0 ? " never" : " strong"}" x="${labelWidth + Math.max(0, width) + 6}" y="${y + 14}">${count === 0 ? "never" : formatNumber(count)}</text>`;
    });
    return drawing(size, 8 + shown.length * rowHeight, title, html`<g class="s1">${rows}</g>`);
  };
  return figure({
    id,
    title,
    note,
    width: 1040,
    draw,
    table: {
      head: ["What", "Times"],
      rows: counts.slice(0, 200).map(([label, count]) => [name(label, 120), formatNumber(count)]),
    },
  });
}
