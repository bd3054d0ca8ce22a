import type { ComparedMetric, ComparedSide, CompareResult } from "../../harness/results/compare-schema.ts";
import {
  changeWords,
  compareSetting,
  effectText,
  metricTones,
  metricValue,
  nothingCompared,
  pText,
  thresholdFlags,
} from "../compare/words.ts";
import { formatInstant, formatNumber, formatShare } from "../format.ts";
import { spokenVerdict } from "../verdict.ts";
import { forestPlot } from "./charts/forest.ts";
import { percentileSpectrum } from "./charts/percentile-spectrum.ts";
import { roundPairs } from "./charts/round-pairs.ts";
import { lanesLegend } from "./charts/worker-lanes.ts";
import { findingList } from "./components/findings.ts";
import { command, dataTable, disclosure, facts, sentences, warnings } from "./components/parts.ts";
import { runFacts } from "./components/run-facts.ts";
import { type KeyFigure, verdictBanner } from "./components/verdict.ts";
import { html, type Markup, name } from "./markup.ts";
import { heading, renderPage } from "./page.ts";

/** The report of `harness compare`: both runs side by side. */
export function renderCompareHtml(result: CompareResult): string {
  const verdict = spokenVerdict(result);
  return renderPage({
    title: `${verdict.word ?? result.status}: ${verdict.headline.slice(0, 120)}`,
    kind: "comparison",
    id: name(result.id),
    startedAt: name(result.startedAt),
    version: name(result.tool.version),
    verdict: html`${verdictBanner({
      status: result.status,
      ...verdict,
      setting: compareSetting(result),
      figures: keyFigures(result),
    })}${warnings(result.warnings)}`,
    sections: [
      { id: "noise", title: "Noise", content: noiseSection(result) },
      { id: "correctness", title: "Correctness", content: correctnessSection(result) },
      { id: "metrics", title: "Metrics", content: metricsSection(result) },
      { id: "spectra", title: "Percentiles", content: spectraSection(result) },
      { id: "rounds", title: "Rounds", content: roundsSection(result) },
      { id: "sides", title: "Both runs", content: sidesSection(result) },
      { id: "plan", title: "Command", content: html`${heading("plan", "Command and machine")}${runFacts(result)}` },
    ],
  });
}

function keyFigures(result: CompareResult): KeyFigure[] {
  if (nothingCompared(result)) return [];
  const { metrics, correctness, rounds, paired } = result;
  const appeared = correctness.filter(({ fails }) => fails).length;
  const vanished = correctness.filter(({ change }) => change === "vanished").length;
  const gated = metrics.filter(({ gated: is }) => is);
  const worst = gated.toSorted((a, b) => harmOf(b) - harmOf(a))[0];
  return [
    {
      label: `${appeared === 1 ? "violation" : "violations"} that the base did not have`,
      figure: formatNumber(appeared),
      tone: appeared > 0 ? "bad" : "good",
      ...(vanished > 0 ? { beside: `${vanished} vanished` } : {}),
    },
    ...(worst === undefined || harmOf(worst) <= 0.001
      ? []
      : [
          {
            label: `${name(worst.name)}: the largest change for the worse`,
            figure: effectText(worst).split(" (")[0] ?? "",
            beside: effectText(worst).split(" (")[1]?.replace(")", "") ?? "",
            tone: worst.verdict === "regressed" ? ("bad" as const) : ("plain" as const),
          },
        ]),
    ...(rounds.base + rounds.head === 0
      ? []
      : [
          {
            label: paired ? "pairs of rounds" : "rounds of the smaller side",
            figure: formatNumber(Math.min(rounds.base, rounds.head)),
            beside: rounds.needed > 0 ? `it takes ${rounds.needed}` : "nothing to gate",
          },
        ]),
  ];
}

function harmOf({ better, effect }: ComparedMetric): number {
  return (better === "lower" ? 1 : -1) * Math.log1p(effect ?? 0);
}

function sidesSection(result: CompareResult): Markup {
  const { base, head, differences } = result;
  const side = (title: string, one: ComparedSide) =>
    html`<div><h3>${title}: ${name(one.label, 80)}</h3>${facts([
      [
        "Verdict",
        html`<span class="word ${one.status === "passed" ? "good" : one.status === "failed" ? "bad" : ""}">${one.status}</span>`,
      ],
      ["Run", html`${name(one.id)}<br><span class="small quiet">${formatInstant(name(one.startedAt))}</span>`],
      [
        "Holdfast",
        `${name(one.tool.version)}${one.tool.commit === null ? "" : `, ${name(one.tool.commit.slice(0, 12))}`}`,
      ],
      ["Machine", `${name(one.environment.cpu)}, ${one.environment.cores} cores`],
    ])}<p class="small">${one.statusReason}</p>${command(one.replay)}</div>`;
  const rows = differences
    .slice(0, 60)
    .map(({ what, base: a, head: b, blocking }) => [
      html`${name(what)}${blocking && html` <span class="bad">not comparable</span>`}`,
      html`<code>${name(a, 300)}</code>`,
      html`<code>${name(b, 300)}</code>`,
    ]);
  const table =
    rows.length === 0
      ? html`${!nothingCompared(result) && html`<p class="quiet">Both have the same configuration.</p>`}`
      : dataTable("What differs", [{ head: "What differs" }, { head: "Base" }, { head: "Head" }], rows);
  return html`${heading("sides", "Both runs")}<div class="pair">${side("Base", base)}${side("Head", head)}</div>${table}`;
}

function correctnessSection(result: CompareResult): Markup {
  if (nothingCompared(result)) return html``;
  const { correctness, base, head } = result;
  const columns = ["", "Of", "What", "Base", "Head"].map((title, index) => ({
    head: title === "" ? "Change" : title,
    text: index === 2,
  }));
  const rows = correctness
    .slice(0, 200)
    .map(({ change, group, what, base: a, head: b, fails }) => [
      html`<span class="word ${fails ? "bad" : change === "vanished" ? "good" : ""}">${fails ? "✗ " : ""}${changeWords[change]}</span>`,
      name(group),
      name(what, 120),
      name(a),
      name(b),
    ]);
  const table =
    rows.length === 0 ? html`<p>Neither run shows a violation.</p>` : dataTable("Correctness", columns, rows, false);
  const appeared =
    result.findings.length === 0
      ? ""
      : html`<h3>What appeared</h3>${result.findings.some(({ evidence }) => evidence.length > 0) && lanesLegend()}${findingList(result.findings, () => [], "new-")}`;
  const all = (side: string, { findings }: ComparedSide) =>
    findings.length === 0
      ? html`<p class="small quiet">The ${side} has no finding.</p>`
      : disclosure(
          `All findings of the ${side} (${findings.length})`,
          findingList(findings, () => [], `${side}-`),
        );
  const lists = html`<div class="pair"><div>${all("base", base)}</div><div>${all("head", head)}</div></div>`;
  return html`${heading("correctness", "Correctness", "No statistic: what the base did not have fails outright.")}${table}${appeared}${base.findings.length + head.findings.length > 0 && lists}`;
}

/** What a calibration is made for; nothing in other comparisons. */
function noiseSection(result: CompareResult): Markup {
  if (result.calibration === undefined || result.calibration.length === 0) return html``;
  const flags = thresholdFlags(result);
  const rows = result.calibration
    .slice(0, 200)
    .map((one) => [name(one.name, 100), `±${formatShare(one.noise)}`, `±${formatShare(one.threshold)}`]);
  const columns = ["Metric", "Noise reaches", "Threshold to use"].map((head, index) => ({ head, numeric: index > 0 }));
  const advice =
    flags.length === 0
      ? html`<p>The default thresholds hold on this machine.</p>`
      : html`<p>Thresholds that hold on this machine:</p>${command(flags.join(" "))}`;
  return html`${heading("noise", "Noise of this machine", "Both sides ran the same: whatever differs is noise.")}${dataTable("Noise", columns, rows)}${advice}`;
}

function metricsSection({ metrics, rounds, paired }: CompareResult): Markup {
  const gated = metrics.filter((metric) => metric.gated);
  const others = metrics.filter((metric) => !metric.gated);
  if (metrics.length === 0) return html``;
  return html`${heading("metrics", "Metrics", "The round is the sample, never the request.")}${forestPlot("forest", "Effects and thresholds", gated.length > 0 ? gated : others)}${gated.length > 0 && metricTable("Gated metrics", gated)}${others.length > 0 && disclosure(`Shown, never gated (${others.length})`, metricTable("Other metrics", others))}${sentences(
    [
      paired
        ? "Pairs: ratios of rounds that ran in turns, exact signed-rank test, Hodges-Lehmann interval."
        : "Not paired: exact rank-sum test; what is a regression here may be the machine, so it is at most inconclusive unless --gate-unpaired is given.",
      `p is adjusted by Holm over ${formatNumber(gated.length)} gated metrics; with so many it takes ${rounds.needed} ${paired ? "pairs" : "rounds a side"} to be able to find anything.`,
    ],
  )}`;
}

function metricTable(label: string, metrics: readonly ComparedMetric[]): Markup {
  const columns = ["Metric", "Base", "Head", "Effect (95 %)", "Threshold", "p", "Verdict"].map((head, index) => ({
    head,
    numeric: index > 0 && index < 6,
    text: index === 6,
  }));
  return dataTable(
    label,
    columns,
    metrics
      .slice(0, 200)
      .map((metric) => [
        name(metric.name, 100),
        metricValue(metric, metric.base),
        metricValue(metric, metric.head),
        effectText(metric),
        `±${formatShare(metric.threshold)}`,
        pText(metric),
        html`<span class="${metricTones[metric.verdict]}">${metric.verdict}</span>${metric.note !== null && html`<br><span class="small quiet">${name(metric.note, 120)}</span>`}`,
      ]),
  );
}

function spectraSection({ spectra, base, head }: CompareResult): Markup {
  const charts = spectra.slice(0, 8).map((spectrum, index) =>
    percentileSpectrum({ id: `spectrum-${index}`, title: name(spectrum.name, 80), width: 500 }, [
      { label: `base: ${name(base.label, 40)}`, series: "s-control", latency: spectrum.base },
      { label: `head: ${name(head.label, 40)}`, series: "s1", latency: spectrum.head },
    ]),
  );
  if (charts.length === 0) return html``;
  return html`${heading("spectra", "Latency by percentile", "Both runs, all rounds together.")}<div class="pair">${charts}</div>`;
}

function roundsSection({ metrics, paired, base, head }: CompareResult): Markup {
  const gated = metrics.filter((metric) => metric.gated);
  const charts = roundPairs(gated.length > 0 ? gated : metrics, paired, { base: base.label, head: head.label });
  return charts.text === ""
    ? charts
    : html`${heading("rounds", "Round by round", paired ? "Each line is a pair of rounds that ran in turns." : "The rounds of both runs, which have nothing to do with each other.")}${charts}`;
}
