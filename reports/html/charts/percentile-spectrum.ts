import { line } from "d3-shape";
import type { Latency } from "../../../harness/results/lock-schema.ts";
import { formatMs } from "../../format.ts";
import { html, type Markup, numeric } from "../markup.ts";
import type { SeriesName } from "../style/tokens.ts";
import { drawing, type Figure, figure, lineSwatch, type Size } from "./figure.ts";
import { type CurvePoint, percentileCurve } from "./percentile-curve.ts";
import { latencyScale, type Plot, valueAxis } from "./scales.ts";

export interface SpectrumSeries {
  label: string;
  series: SeriesName;
  latency: Latency;
}

const shares = [0, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999, 0.999999];
const shareNames = ["0", "50 %", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %", "99.9999 %"];

/** Latency by percentile on the axis of HdrHistogram, where each step to the right is ten times rarer; arms overlaid. */
export function percentileSpectrum(
  { id, title, note, width = 1040 }: Pick<Figure, "id" | "title" | "note" | "width">,
  all: readonly SpectrumSeries[],
): Markup {
  const series = all.filter(({ latency }) => latency.count > 0);
  if (series.length === 0) return html``;
  const curves = series.map(({ latency }) => percentileCurve(latency));
  const reach = Math.max(2, ...series.map(({ latency }) => rarity(1 - 1 / (latency.count + 1))));
  const table = {
    head: ["Percentile", ...series.map(({ label }) => label)],
    rows: rowsOf(series),
  };
  return figure({
    id,
    title,
    ...(note === undefined ? {} : { note }),
    width,
    legend: series.map(({ label, series: name }) => ({ label, swatch: lineSwatch(name) })),
    draw: (size) => draw(size, title, series, curves, reach),
    table,
  });
}

function draw(
  size: Size,
  title: string,
  series: readonly SpectrumSeries[],
  curves: readonly CurvePoint[][],
  reach: number,
): Markup {
  const height = size.compact ? 246 : 316;
  const plot: Plot = { left: 62, right: size.width - 14, top: 12, bottom: height - 46 };
  const x = (share: number) => plot.left + (Math.min(rarity(share), reach) / reach) * (plot.right - plot.left);
  const y = latencyScale(
    curves.flat().map(({ ms }) => ms),
    plot,
  );
  const ticks = shares
    .map((share, index) => ({ share, name: shareNames[index] ?? "" }))
    .filter(({ share }) => rarity(share) <= reach);
  const path = line<CurvePoint>(
    (point) => x(point.share),
    (point) => y.at(point.ms),
  ).digits(1);
  const content = html`${valueAxis(y, plot)}${ticks.map(({ share, name }) => html`<line class="grid" x1="${x(share)}" x2="${x(share)}" y1="${plot.top}" y2="${plot.bottom}"/><text class="tick" x="${x(share)}" y="${plot.bottom + 18}" text-anchor="${share === 0 ? "start" : "middle"}">${name}</text>`)}<text class="tick" x="${(plot.left + plot.right) / 2}" y="${plot.bottom + 36}" text-anchor="middle">share that is as fast or faster</text><line class="axis" x1="${plot.left}" x2="${plot.right}" y1="${plot.bottom}" y2="${plot.bottom}"/>${curves.map((curve, index) => html`<path class="line ${series[index]?.series ?? "s1"}" d="${numeric(path(curve))}"/>`)}`;
  return drawing(size, height, `${title}: ${summary(series)}`, content, [0.5, 0.9, 0.99, 0.999, 1].map(x));
}

function rowsOf(series: readonly SpectrumSeries[]): string[][] {
  const row = (label: string, pick: (latency: Latency) => number | null) => [
    label,
    ...series.map(({ latency }) => formatMs(pick(latency))),
  ];
  return [
    row("P50", ({ p50Ms }) => p50Ms),
    row("P90", ({ p90Ms }) => p90Ms),
    row("P99", ({ p99Ms }) => p99Ms),
    row("P99.9", ({ p999Ms }) => p999Ms),
    row("Maximum", ({ maxMs }) => maxMs),
    ["Samples", ...series.map(({ latency }) => latency.count.toLocaleString("en-US"))],
  ];
}

function summary(series: readonly SpectrumSeries[]): string {
  return series
    .map(({ label, latency }) => `${label} P50 ${formatMs(latency.p50Ms)}, P99 ${formatMs(latency.p99Ms)}`)
    .join("; ");
}

/** log10 of 1 / (1 - share). */
function rarity(share: number): number {
  return share >= 1 ? Number.POSITIVE_INFINITY : -Math.log10(1 - share);
}
