import { type Fragment, html, type Markup, numeric } from "../markup.ts";
import type { SeriesName } from "../style/tokens.ts";

export interface Size {
  width: number;
  /** Phone width: fewer ticks, labels above instead of beside. */
  compact: boolean;
}

export interface ChartTable {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

export interface LegendEntry {
  label: string;
  swatch: Markup;
}

export interface Figure {
  id: string;
  title: string;
  note?: string;
  legend?: readonly LegendEntry[];
  /** Width of the drawing on a desk, px of its own coordinates. */
  width?: number;
  draw(size: Size): Markup;
  /** The chart's numbers. */
  table?: ChartTable;
}

/** A chart drawn twice, for desk and phone, with its legend and with its numbers in a table. */
export function figure({ id, title, note, legend = [], width = 1040, draw, table }: Figure): Markup {
  return html`<figure${table === undefined ? "" : html` data-rows="${id}-numbers"`}><figcaption>${title}${note === undefined ? "" : html`<small>${note}</small>`}</figcaption>${legend.length === 0 ? "" : html`<ul class="legend">${legend.map(({ label, swatch }) => html`<li>${swatch}${label}</li>`)}</ul>`}
<div class="wide">${draw({ width, compact: false })}</div><div class="narrow">${draw({ width: 343, compact: true })}</div>${
    table === undefined
      ? ""
      : html`<p class="readout" aria-hidden="true"></p>
<details><summary>Numbers<span class="sr"> of ${title}</span></summary>${numbers(id, title, table)}</details>`
  }</figure>`;
}

function numbers(id: string, title: string, { head, rows }: ChartTable): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Numbers of ${title}"><table class="dense" id="${id}-numbers"><thead><tr>${head.map((cell, index) => html`<th scope="col"${index > 0 && html` class="num"`}>${cell}</th>`)}</tr></thead><tbody>${rows.map((row) => html`<tr>${row.map((cell, index) => (index === 0 ? html`<th scope="row">${cell}</th>` : html`<td class="num">${cell}</td>`))}</tr>`)}</tbody></table></div>`;
}

/** The SVG element itself. `xs`: the place of each row of the numbers, for the pointer. */
export function drawing(
  { width }: Size,
  height: number,
  label: string,
  content: Fragment,
  xs: readonly number[] = [],
): Markup {
  const places = xs.length === 0 ? "" : html` data-x="${numeric(xs.map((x) => x.toFixed(1)).join(" "))}"`;
  const cursor = xs.length === 0 ? "" : html`<line class="cursor" x1="0" x2="0" y1="8" y2="${height - 24}"/>`;
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}"${places}>${content}${cursor}</svg>`;
}

export function lineSwatch(series: SeriesName): Markup {
  return html`<svg viewBox="0 0 26 12" aria-hidden="true"><path class="line ${series}" d="M1 6H25"/></svg>`;
}

export function areaSwatch(className: string, fill?: string): Markup {
  return html`<svg viewBox="0 0 26 12" aria-hidden="true"><rect class="${className}" width="26" height="12"${fill === undefined ? "" : html` fill="${fill}"`}/></svg>`;
}
