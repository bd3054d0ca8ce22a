import type { MatrixCell, MatrixResult } from "../../harness/results/matrix-schema.ts";
import { cellFaultsNear } from "../evidence/faults-near.ts";
import { formatDuration, formatInstant, formatNumber } from "../format.ts";
import { cellDetail, cellOf, matrixSetting, verdictWords } from "../matrix/summary.ts";
import { spokenVerdict } from "../verdict.ts";
import { lanesLegend } from "./charts/worker-lanes.ts";
import { findingList } from "./components/findings.ts";
import { command, scrolling, warnings } from "./components/parts.ts";
import { runFacts } from "./components/run-facts.ts";
import { type KeyFigure, verdictBanner } from "./components/verdict.ts";
import { html, type Markup, name } from "./markup.ts";
import { heading, type PageSection, renderPage } from "./page.ts";

const mostCells = 400;

/** The report of `harness matrix`: the grid, each cell opening its evidence. */
export function renderMatrixHtml(result: MatrixResult): string {
  const verdict = spokenVerdict(result);
  return renderPage({
    title: `${verdict.word ?? result.status}: ${verdict.headline.slice(0, 120)}`,
    kind: "matrix",
    id: name(result.id),
    startedAt: name(result.startedAt),
    version: name(result.tool.version),
    verdict: html`${verdictBanner({
      status: result.status,
      ...verdict,
      setting: `${matrixSetting(result)} ${formatInstant(result.startedAt)}.`,
      figures: keyFigures(result),
    })}${warnings(result.warnings)}`,
    sections: matrixSections(result),
  });
}

function matrixSections(result: MatrixResult): PageSection[] {
  return [
    { id: "grid", title: "Grid", content: gridSection(result) },
    { id: "cells", title: "Evidence", content: cellsSection(result) },
    { id: "scenarios", title: "Scenarios", content: scenariosSection(result) },
    { id: "plan", title: "Plan", content: html`${heading("plan", "Plan, machine and command")}${runFacts(result)}` },
  ];
}

function keyFigures({ cells }: MatrixResult): KeyFigure[] {
  const count = (verdict: MatrixCell["verdict"]) => cells.filter((cell) => cell.verdict === verdict).length;
  return [
    { label: "cells held", figure: formatNumber(count("held")), tone: count("held") > 0 ? "good" : "plain" },
    { label: "broke", figure: formatNumber(count("broke")), tone: count("broke") > 0 ? "bad" : "plain" },
    { label: "hung", figure: formatNumber(count("hung")), tone: count("hung") > 0 ? "bad" : "plain" },
    {
      label: "without a verdict",
      figure: formatNumber(count("unknown")),
      beside: `${formatNumber(count("not-applicable"))} not applicable`,
    },
  ];
}

function gridSection(result: MatrixResult): Markup {
  const head = html`<tr><th scope="col">Scenario</th>${result.locks.map(({ name: lock, brokenOnPurpose }) => html`<th scope="col">${brokenOnPurpose && html`<small>broken on purpose</small>`}${name(lock, 40)}</th>`)}</tr>`;
  const rows = result.scenarios.map(
    (scenario) =>
      html`<tr><th scope="row">${name(scenario.name)}</th>${result.locks.map((lock) => html`<td class="cell">${gridCell(result, lock.name, scenario.name)}</td>`)}</tr>`,
  );
  const legend = Object.entries(verdictWords).map(
    ([verdict, { sign, word }]) => html`<li><span class="chip v-${verdict}">${sign}</span>&nbsp;${word}</li>`,
  );
  return html`${heading("grid", "Locks and scenarios", "A cell opens its evidence. Where a lock is broken on purpose, a break is what must be seen.")}<ul class="legend">${legend}</ul>${scrolling("Locks and scenarios", html`<table class="grid-table sticky"><thead>${head}</thead><tbody>${rows}</tbody></table>`)}`;
}

function gridCell(result: MatrixResult, lock: string, scenario: string): Markup {
  const cell = cellOf(result, lock, scenario);
  if (cell === undefined) return html``;
  const { sign, word } = verdictWords[cell.verdict];
  if (cell.verdict === "not-applicable")
    return html`<span class="chip v-not-applicable"><span aria-hidden="true">${sign}</span><span class="sr">${word}</span></span>`;
  const content = html`<span aria-hidden="true">${sign}</span> <span>${cell.checks.length > 0 ? cellDetail(cell) : word}</span>`;
  if (!opens(cell) || result.cells.indexOf(cell) >= mostCells)
    return html`<span class="chip v-${cell.verdict}">${content}</span>`;
  return html`<a class="chip v-${cell.verdict}" href="#cell-${result.cells.indexOf(cell)}"><span class="sr">${name(lock)} in ${name(scenario)}: ${word} </span>${content}</a>`;
}

function opens({ verdict, evidence }: MatrixCell): boolean {
  return evidence.length > 0 || verdict === "broke" || verdict === "hung" || verdict === "unknown";
}

function cellsSection(result: MatrixResult): Markup {
  const shown = result.cells.flatMap((cell, index) => (opens(cell) && index < mostCells ? [{ cell, index }] : []));
  if (shown.length === 0) return html``;
  const items = shown.map(({ cell, index }) => {
    const { sign, word } = verdictWords[cell.verdict];
    const evidence =
      cell.evidence.length === 0
        ? ""
        : html`${findingList(cell.evidence.slice(0, 5), (finding) => cellFaultsNear(cell.faults ?? [], finding), `cell-${index}-`)}`;
    const summary = html`<span class="chip v-${cell.verdict}">${sign} ${word}</span> <strong>${name(cell.lock)}</strong> in <strong>${name(cell.scenario)}</strong> <span class="quiet">${cellDetail(cell)}</span>`;
    return html`<details id="cell-${index}" class="cell-evidence"><summary>${summary}</summary><p>${cell.reason}</p><p class="small quiet">The cell took ${formatDuration(cell.durationMs)}.</p>${evidence}${command(cell.replay)}</details>`;
  });
  const left = result.cells.length - mostCells;
  return html`${heading("cells", "Evidence of the cells")}${shown.some(({ cell }) => cell.evidence.length > 0) && lanesLegend()}${items}${left > 0 && html`<p class="quiet">Of ${formatNumber(left)} more cells the evidence is in result.json.</p>`}`;
}

function scenariosSection({ scenarios, locks }: MatrixResult): Markup {
  const list = (items: readonly { name: string; summary: string }[]) =>
    html`<dl class="facts">${items.map((item) => html`<div><dt><strong>${name(item.name)}</strong></dt><dd class="small">${name(item.summary, 400)}</dd></div>`)}</dl>`;
  return html`${heading("scenarios", "Scenarios and locks")}${list(scenarios)}<h3>Locks</h3>${list(locks)}`;
}
