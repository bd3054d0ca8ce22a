import { createHash } from "node:crypto";
import { formatInstant } from "../format.ts";
import { patterns } from "./charts/patterns.ts";
import { type Fragment, html, type Markup, render, trusted } from "./markup.ts";
import { script } from "./script.ts";
import { base } from "./style/base.ts";
import { components } from "./style/components.ts";
import { tokens } from "./style/tokens.ts";

export interface PageSection {
  id: string;
  /** In the navigation. */
  title: string;
  content: Fragment;
}

export interface Page {
  /** Of the document: what a browser's tab shows. */
  title: string;
  /** Beside the product's name: "lock report". */
  kind: string;
  verdict: Fragment;
  sections: readonly PageSection[];
  id: string;
  startedAt: string;
  version: string;
}

const style = [tokens, base, components].join("").replace(/\n+/g, "\n");
const policy = [
  "default-src 'none'",
  `style-src '${hash(style)}'`,
  `script-src '${hash(script)}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const mark = html`<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M3 17V7a4 4 0 0 1 8 0v6a3 3 0 0 0 6 0V3" fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round"/></svg>`;

/** One self-contained document: nothing is loaded, and the policy in its head forbids that anything could be. */
export function renderPage(page: Page): string {
  const sections = page.sections.filter(({ content }) => render(content) !== "");
  const body = html`<a class="skip" href="#verdict">To the verdict</a>
<header class="top"><div class="wrap"><div class="mark">${mark}Holdfast <span>${page.kind}</span></div>
<nav aria-label="Sections">${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}</nav>
<button type="button" id="theme" class="js-only" aria-label="Switch between dark and light">◐</button></div></header>
<main class="wrap"><div id="verdict">${page.verdict}</div>
${sections.map(({ id, content }) => html`<section id="${id}" aria-labelledby="${id}-title">${content}</section>\n`)}</main>
<footer><div class="wrap">Run ${page.id}, ${formatInstant(page.startedAt)}. Holdfast ${page.version}. This file is complete in itself: it loads nothing and sends nothing.</div></footer>`;
  return render(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="holdfast">
<link rel="icon" href="data:,">
<title>${page.title}</title>
<style>${trusted(style)}</style>
</head>
<body>
${patterns}
${body}
<script>${trusted(script)}</script>
</body>
</html>
`);
}

/** A section's heading; the section takes its name from it. */
export function heading(id: string, title: string, lead?: Fragment): Markup {
  return html`<h2 id="${id}-title">${title}</h2>${lead === undefined ? "" : html`<p class="lead">${lead}</p>`}`;
}

function hash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
