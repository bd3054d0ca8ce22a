import { scaleLinear } from "d3-scale";
import type { Benchmark, BenchResult } from "../../harness/results/bench-schema.ts";
import { benchSetting, figure as figureText, goalText, groupsOf, ratioText } from "../bench/summary.ts";
import { formatInstant, formatNumber } from "../format.ts";
import { spokenVerdict } from "../verdict.ts";
import { drawing, figure, type Size } from "./charts/figure.ts";
import { dataTable, warnings } from "./components/parts.ts";
import { runFacts } from "./components/run-facts.ts";
import { verdictBanner } from "./components/verdict.ts";
import { clip, html, type Markup, name } from "./markup.ts";
import { heading, type PageSection, renderPage } from "./page.ts";

const mostBars = 60;

/** The report of `harness bench`: figures, ratios within the run, goals. */
export function renderBenchHtml(result: BenchResult): string {
  const verdict = spokenVerdict(result);
  const goals = result.benchmarks.filter(({ goal }) => goal !== null);
  const met = goals.filter(({ goal }) => goal?.met === true).length;
  return renderPage({
    title: `${verdict.word ?? result.status}: ${verdict.headline.slice(0, 120)}`,
    kind: "benchmarks",
    id: name(result.id),
    startedAt: name(result.startedAt),
    version: name(result.tool.version),
    verdict: html`${verdictBanner({
      status: result.status,
      ...verdict,
      setting: `${benchSetting(result)} ${formatInstant(result.startedAt)}.`,
      figures: [
        ...(goals.length === 0
          ? []
          : [
              {
                label: "goals reached",
                figure: `${met} of ${goals.length}`,
                tone: met === goals.length ? ("good" as const) : ("bad" as const),
              },
            ]),
        ...(goals.length === 0 ? [] : [{ label: "benchmarks", figure: formatNumber(result.benchmarks.length) }]),
      ],
    })}${warnings(result.warnings)}`,
    sections: benchSections(result),
  });
}

function benchSections(result: BenchResult): PageSection[] {
  const groups = [...groupsOf(result.benchmarks)].map(([group, benchmarks], index): PageSection => {
    const id = `group-${index}`;
    return {
      id,
      title: name(group, 24),
      content: html`${heading(id, name(group))}${chart(id, group, benchmarks)}${table(group, benchmarks)}`,
    };
  });
  return [
    ...groups,
    { id: "plan", title: "Machine", content: html`${heading("plan", "Machine and command")}${runFacts(result)}` },
  ];
}

function table(group: string, benchmarks: readonly Benchmark[]): Markup {
  const hasGoals = benchmarks.some(({ goal }) => goal !== null);
  const heads = ["Benchmark", "P50", "P99", "Samples", "Ratio", ...(hasGoals ? ["Goal"] : [])];
  const columns = heads.map((head, index) => ({ head, numeric: index > 0 && index < 4 }));
  return dataTable(
    name(group),
    columns,
    benchmarks.map((one) => [
      name(one.name, 100),
      figureText(one.p50, one.unit),
      figureText(one.p99, one.unit),
      formatNumber(one.samples),
      ratioText(one),
      ...(hasGoals
        ? [one.goal === null ? "" : html`<span class="${one.goal.met ? "good" : "bad"}">${goalText(one)}</span>`]
        : []),
    ]),
    false,
  );
}

/** Bars of the figures of one group that share a unit and a direction. */
function chart(id: string, group: string, benchmarks: readonly Benchmark[]): Markup {
  const [first] = benchmarks;
  const alike = benchmarks
    .filter(({ unit, better }) => unit === first?.unit && better === first?.better)
    .slice(0, mostBars);
  if (first === undefined || alike.length < 2) return html``;
  const draw = (size: Size) => {
    const left = size.compact ? 4 : 320;
    const rowHeight = size.compact ? 40 : 24;
    // One disturbed round must not press all bars flat: a range that goes further than this leaves the drawing.
    const widest = Math.max(...alike.map(({ p50, range }) => range?.[1] ?? p50));
    const most = Math.min(widest, 1.6 * Math.max(...alike.map(({ p50 }) => p50)));
    const scale = scaleLinear()
      .domain([0, most])
      .range([left, size.width - 110])
      .clamp(true);
    const rows = alike.map((one, index) => {
      const y = 4 + index * rowHeight + (size.compact ? 18 : 0);
      const label = size.compact
        ? html`<text class="label" x="4" y="${y - 3}">${clip(one.name, 48)}</text>`
        : html`<text class="label" x="${left - 8}" y="${y + 14}" text-anchor="end">${clip(one.name, 48)}</text>`;
      const range =
        one.range === null
          ? ""
          : html`<path class="axis" d="M${scale(one.range[0])} ${y + 9}H${scale(one.range[1])}M${scale(one.range[0])} ${y + 5}v8${one.range[1] <= most && html`M${scale(one.range[1])} ${y + 5}v8`}"/>`;
      return html`${label}<rect class="bar" x="${left}" y="${y + 2}" width="${Math.max(1, scale(one.p50) - left)}" height="14" rx="2"/>${range}<text class="label strong halo" x="${scale(one.range?.[1] ?? one.p50) + 6}" y="${y + 14}">${figureText(one.p50, one.unit)}</text>`;
    });
    return drawing(
      size,
      8 + alike.length * rowHeight,
      `${name(group)}, ${first.unit}`,
      html`<g class="s1">${rows}</g>`,
    );
  };
  return figure({
    id: `${id}-bars`,
    title: `P50 in ${name(first.unit)}, ${first.better} is better`,
    note: "Bar: the middle of all rounds. Line: from the lowest round to the highest; without an end where that is off the chart.",
    draw,
  });
}
