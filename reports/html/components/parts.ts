import { type Fragment, html, type Markup, unbroken } from "../markup.ts";

/** A region that scrolls sideways by itself, so that the page never does; the keyboard reaches it. */
export function scrolling(label: string, content: Fragment): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">${content}</div>`;
}

/** A command to copy. */
export function command(text: string): Markup {
  return html`<div class="command"><code>${text}</code><button type="button" class="js-only" data-copy>Copy</button></div>`;
}

export function disclosure(summary: Fragment, content: Fragment, open = false): Markup {
  return html`<details${open && html` open`}><summary>${summary}</summary>${content}</details>`;
}

export function sentences(list: readonly Fragment[]): Markup {
  if (list.length === 0) return html``;
  return html`<ul class="plainlist">${list.map((sentence) => html`<li>${typeof sentence === "string" ? unbroken(sentence) : sentence}</li>`)}</ul>`;
}

export function warnings(list: readonly string[]): Markup {
  return html`${list.map((text) => html`<p class="warning"><strong>Warning.</strong> ${text}</p>`)}`;
}

/** Names and their values. */
export function facts(entries: readonly (readonly [string, Fragment])[]): Markup {
  return html`<dl class="facts">${entries.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;
}

export interface Column {
  head: Fragment;
  numeric?: boolean;
  /** Running text: wraps, and is never squeezed to nothing. */
  text?: boolean;
}

export function dataTable(
  label: string,
  columns: readonly Column[],
  rows: readonly (readonly Fragment[])[],
  dense = true,
): Markup {
  return scrolling(
    label,
    html`<table${dense && html` class="dense"`}><thead><tr>${columns.map(({ head, numeric }) => html`<th scope="col"${numeric === true && html` class="num"`}>${head}</th>`)}</tr></thead><tbody>${rows.map((row) => html`<tr>${row.map((cell, index) => (index === 0 ? html`<th scope="row">${cell}</th>` : html`<td${columns[index]?.numeric === true ? html` class="num"` : columns[index]?.text === true && html` class="text"`}>${cell}</td>`))}</tr>`)}</tbody></table>`,
  );
}
