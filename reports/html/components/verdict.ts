import type { Status } from "../../../harness/results/common-schema.ts";
import type { SpokenVerdict } from "../../verdict.ts";
import { html, type Markup, unbroken } from "../markup.ts";

export interface KeyFigure {
  label: string;
  /** The figure; two of them are drawn as "before → after". */
  figure: string | readonly [string, string];
  /** What to hold it against. */
  beside?: string;
  tone?: "good" | "bad" | "plain";
}

export interface Verdict extends SpokenVerdict {
  status: Status;
  /** One line on what was run. */
  setting: string;
  figures: readonly KeyFigure[];
}

/** What a reader must know within three seconds: the word, the sentence, at most four figures. */
export function verdictBanner({ status, word, headline, reason, setting, figures }: Verdict): Markup {
  return html`<div class="verdict is-${word === undefined ? status : "neutral"}"><div class="verdict-say"><span class="badge">${word === undefined && signs[status]}${word ?? status}</span><h1>${unbroken(headline)}</h1>${reason !== undefined && html`<p>${unbroken(reason)}</p>`}<p class="small quiet">${setting}</p></div>${figures.length > 0 && html`<dl class="keys${figures.every(isShort) && " short"}">${figures.map(keyFigure)}</dl>`}</div>`;
}

/** Counts and the like: two of them fit beside each other on a phone. */
function isShort({ figure }: KeyFigure): boolean {
  return typeof figure === "string" && figure.length <= 8;
}

function keyFigure({ label, figure, beside, tone = "plain" }: KeyFigure): Markup {
  const value = typeof figure === "string" ? figure : html`${figure[0]}<span class="arrow"> → </span>${figure[1]}`;
  return html`<div><dt>${label}${beside !== undefined && html`<br><span class="beside">${beside}</span>`}</dt><dd class="figure ${tone}">${value}</dd></div>`;
}

const sign = (shape: Markup) =>
  html`<svg viewBox="0 0 20 20" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round">${shape}</svg>`;

/** A shape for each status: it must not be known by its colour alone. */
const signs: Record<Status, Markup> = {
  passed: sign(html`<circle cx="10" cy="10" r="8.5"/><path d="M6 10.4l2.8 2.8L14.2 7.4"/>`),
  failed: sign(html`<path d="M6.3 1.5h7.4l4.8 4.8v7.4l-4.8 4.8H6.3l-4.8-4.8V6.3z"/><path d="M7 7l6 6M13 7l-6 6"/>`),
  unknown: sign(
    html`<path d="M10 1.2L18.8 10 10 18.8 1.2 10z"/><path d="M7.9 7.6a2.2 2.2 0 1 1 3 2.1c-.7.3-.9.7-.9 1.5M10 13.9v.1"/>`,
  ),
  interrupted: sign(html`<rect x="1.8" y="1.8" width="16.4" height="16.4" rx="3"/><path d="M7.5 6.5v7M12.5 6.5v7"/>`),
};
