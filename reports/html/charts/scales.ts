import { scaleLinear, scaleLog } from "d3-scale";
import { formatMs } from "../../format.ts";
import { html, type Markup } from "../markup.ts";

export interface Plot {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface ValueScale {
  at(value: number): number;
  ticks: { value: number; label: string }[];
}

/** Latencies span from microseconds to seconds: a logarithmic scale whose ticks are whole decades, or finer where
 * they lie close together. */
export function latencyScale(valuesMs: readonly number[], { top, bottom }: Plot): ValueScale {
  const positive = valuesMs.filter((value) => value > 0 && Number.isFinite(value));
  const low = positive.length > 0 ? positive.reduce((a, b) => Math.min(a, b)) : 1;
  const high = positive.reduce((a, b) => Math.max(a, b), low * 2);
  const from = low / 1.3;
  const to = high * 1.3;
  const scale = scaleLog().domain([from, to]).range([bottom, top]);
  const finer = [[1], [1, 2, 5], [1, 1.5, 2, 3, 4, 5, 6, 8]].map((steps) => tickValues(from, to, steps));
  const values = finer.find((ticks) => ticks.length >= 3) ?? finer.at(-1) ?? [];
  return {
    at: (value) => scale(Math.min(to, Math.max(from, value))),
    ticks: values.map((value) => ({ value, label: shortMs(value) })),
  };
}

/** Counts and rates, from zero. */
export function countScale(highest: number, { top, bottom }: Plot, ticks = 4): ValueScale {
  const scale = scaleLinear()
    .domain([0, Math.max(1, highest)])
    .nice(ticks)
    .range([bottom, top]);
  const values = scale.ticks(ticks).filter((value) => Number.isInteger(value));
  return { at: scale, ticks: values.map((value) => ({ value, label: String(value) })) };
}

/** Horizontal lines with their values at the left. */
export function valueAxis(scale: ValueScale, { left, right }: Plot): Markup[] {
  return scale.ticks.map(({ value, label }) => {
    const y = scale.at(value);
    return html`<line class="grid" x1="${left}" x2="${right}" y1="${y}" y2="${y}"/><text class="tick" x="${left - 6}" y="${y + 4}" text-anchor="end">${label}</text>`;
  });
}

function tickValues(from: number, to: number, steps: readonly number[]): number[] {
  const values: number[] = [];
  for (let power = Math.floor(Math.log10(from)); power <= Math.ceil(Math.log10(to)); power++) {
    for (const step of steps) {
      const value = step * 10 ** power;
      if (value >= from && value <= to) values.push(value);
    }
  }
  return values;
}

function shortMs(value: number): string {
  if (value < 0.1) return formatMs(value);
  if (value >= 1000) return `${value / 1000} s`;
  return `${Number(value.toPrecision(3))} ms`;
}
