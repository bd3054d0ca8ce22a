import { scaleLinear } from "d3-scale";
import type { ComparedMetric } from "../../../harness/results/compare-schema.ts";
import { effectText, shortNames } from "../../compare/words.ts";
import { formatChange } from "../../format.ts";
import { clip, html, type Markup } from "../markup.ts";
import { drawing, figure, type Size } from "./figure.ts";

const most = 40;

/**
 * Effects with their intervals, a row a metric, turned so that right is always worse; the band around zero is the
 * threshold.
 */
export function forestPlot(id: string, title: string, metrics: readonly ComparedMetric[]): Markup {
  const shown = metrics.filter(({ effect }) => effect !== null).slice(0, most);
  if (shown.length === 0) return html``;
  return figure({
    id,
    title,
    note: "Dot: the middle of the rounds’ ratios. Line: its 95 % interval. Band: the threshold. Right of it is worse.",
    draw: (size) => draw(size, title, shown),
  });
}

function draw(size: Size, title: string, metrics: readonly ComparedMetric[]): Markup {
  const rowHeight = size.compact ? 44 : 28;
  const left = size.compact ? 8 : 270;
  const right = size.width - (size.compact ? 8 : 190);
  const bottom = 10 + metrics.length * rowHeight;
  const harm = (metric: ComparedMetric, ratio: number) => (metric.better === "lower" ? 1 : -1) * Math.log1p(ratio);
  const values = metrics.flatMap((metric) =>
    [metric.effect, metric.lo, metric.hi, metric.threshold].flatMap((ratio) =>
      ratio === null ? [] : [Math.abs(harm(metric, ratio))],
    ),
  );
  const reach = Math.min(Math.max(...values, 0.02) * 1.15, Math.log(8));
  const scale = scaleLinear().domain([-reach, reach]).range([left, right]).clamp(true);
  const ticks = percentTicks(reach, scale);
  const names = shortNames(metrics);
  const rows = metrics.map((metric, index) => {
    const shown = names[index] ?? metric.name;
    const y = 10 + index * rowHeight + rowHeight / 2 + (size.compact ? 9 : 0);
    const band = Math.log1p(metric.threshold);
    const tone = metric.gated ? metric.verdict : "ungated";
    const interval =
      metric.lo === null || metric.hi === null
        ? html`<path class="interval open" d="M${left} ${y}H${right}"/>`
        : html`<path class="interval" d="M${scale(harm(metric, metric.lo))} ${y}H${scale(harm(metric, metric.hi))}M${scale(harm(metric, metric.lo))} ${y - 5}v10M${scale(harm(metric, metric.hi))} ${y - 5}v10"/>`;
    const label = size.compact
      ? html`<text class="label" x="8" y="${y - 14}">${clip(shown, 34)}</text>`
      : html`<text class="label strong" x="${left - 12}" y="${y + 4}" text-anchor="end">${clip(shown, 40)}</text><text class="label" x="${right + 12}" y="${y + 4}">${metric.effect === null ? "" : formatChange(metric.effect)} ${metric.verdict}</text>`;
    return html`<g class="m-${tone}"><rect class="threshold" x="${scale(-band)}" y="${y - 11}" width="${scale(band) - scale(-band)}" height="22"/>${interval}<circle class="effect-dot" cx="${scale(harm(metric, metric.effect ?? 0))}" cy="${y}" r="5"><title>${metric.name}: ${effectText(metric)}, ${metric.verdict}</title></circle>${label}</g>`;
  });
  const axis = ticks.map(
    ({ harm: at, label }) =>
      html`<line class="grid" x1="${scale(at)}" x2="${scale(at)}" y1="4" y2="${bottom}"/><text class="tick" x="${scale(at)}" y="${bottom + 18}" text-anchor="${anchorAt(scale(at), size.width)}">${label}</text>`,
  );
  const zero = html`<line class="axis" x1="${scale(0)}" x2="${scale(0)}" y1="4" y2="${bottom}"/>`;
  return drawing(size, bottom + 26, title, html`${axis}${zero}${rows}`);
}

/** A label near the edge stays within the drawing. */
function anchorAt(x: number, width: number): string {
  if (x < 24) return "start";
  return x > width - 24 ? "end" : "middle";
}

const worse = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 4, 6];
const better = [0.01, 0.02, 0.05, 0.1, 0.2, 0.33, 0.5, 0.75];
const ticksApartPx = 52;

/** Round changes to either side of none, from the outside in, as far as there is room for their labels. */
function percentTicks(reach: number, scale: (harm: number) => number): { harm: number; label: string }[] {
  const candidates = [
    { harm: 0, label: "0" },
    ...worse.toReversed().map((share) => ({ harm: Math.log1p(share), label: `+${Math.round(share * 100)} %` })),
    ...better.toReversed().map((share) => ({ harm: Math.log1p(-share), label: `−${Math.round(share * 100)} %` })),
  ];
  const ticks: typeof candidates = [];
  for (const one of candidates) {
    const free = ticks.every((tick) => Math.abs(scale(tick.harm) - scale(one.harm)) >= ticksApartPx);
    if (Math.abs(one.harm) <= reach && free) ticks.push(one);
  }
  return ticks;
}
