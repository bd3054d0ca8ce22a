import { scaleLinear } from "d3-scale";
import type { ComparedMetric } from "../../../harness/results/compare-schema.ts";
import { metricValue } from "../../compare/words.ts";
import { clip, html, type Markup, name } from "../markup.ts";
import { areaSwatch, drawing, figure, type Size } from "./figure.ts";

const mostMetrics = 12;
const mostRounds = 60;

/** Every round of both sides: pairs joined by a line, unpaired rounds as two columns of dots. */
export function roundPairs(
  metrics: readonly ComparedMetric[],
  paired: boolean,
  labels: { base: string; head: string },
): Markup {
  const shown = metrics
    .filter(({ baseRounds, headRounds }) => baseRounds.length > 1 && headRounds.length > 1)
    .slice(0, mostMetrics);
  const charts = shown.map((metric, index) =>
    figure({
      id: `rounds-${index}`,
      title: clip(metric.name, 80),
      width: 320,
      legend: [
        { label: name(labels.base, 30), swatch: areaSwatch("bar s-control") },
        { label: name(labels.head, 30), swatch: areaSwatch("bar s1") },
      ],
      draw: (size) => draw(size, metric, paired),
      table: {
        head: [paired ? "Pair" : "Round", name(labels.base, 30), name(labels.head, 30)],
        rows: Array.from(
          { length: Math.min(mostRounds, Math.max(metric.baseRounds.length, metric.headRounds.length)) },
          (_, round) => [
            String(round + 1),
            metricValue(metric, metric.baseRounds[round] ?? null),
            metricValue(metric, metric.headRounds[round] ?? null),
          ],
        ),
      },
    }),
  );
  return charts.length === 0 ? html`` : html`<div class="triple">${charts}</div>`;
}

function draw(size: Size, metric: ComparedMetric, paired: boolean): Markup {
  const height = 150;
  const [left, right, top, bottom] = [64, size.width - 12, 12, height - 22];
  const [base, head] = [metric.baseRounds.slice(0, mostRounds), metric.headRounds.slice(0, mostRounds)];
  const all = [...base, ...head];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const y = scaleLinear()
    .domain(low === high ? [low * 0.9, high * 1.1 || 1] : [low, high])
    .nice(3)
    .range([bottom, top]);
  const ticks = y
    .ticks(3)
    .map(
      (tick) =>
        html`<line class="grid" x1="${left}" x2="${right}" y1="${y(tick)}" y2="${y(tick)}"/><text class="tick" x="${left - 6}" y="${y(tick) + 4}" text-anchor="end">${metricValue(metric, tick)}</text>`,
    );
  const columns = Math.max(base.length, head.length);
  const x = (round: number) => left + 8 + ((right - left - 16) * (round + 0.5)) / columns;
  const shift = paired ? 0 : Math.min(5, (right - left) / columns / 4);
  const links =
    paired &&
    base.map(
      (value, round) =>
        head[round] !== undefined &&
        html`<line class="pair-link" x1="${x(round)}" x2="${x(round)}" y1="${y(value)}" y2="${y(head[round] ?? value)}"/>`,
    );
  const dots = html`<g class="s-control">${base.map((value, round) => html`<circle class="ring" cx="${x(round) - shift}" cy="${y(value)}" r="3.5"/>`)}</g><g class="s1">${head.map((value, round) => html`<circle class="dot" cx="${x(round) + shift}" cy="${y(value)}" r="3.5"/>`)}</g>`;
  return drawing(
    size,
    height,
    `${clip(metric.name, 80)}, by round`,
    html`${ticks}${links}${dots}<text class="label" x="${(left + right) / 2}" y="${height - 4}" text-anchor="middle">${paired ? "pair of rounds" : "round"}</text>`,
  );
}
