import type { FaultRecord } from "../../../harness/results/lock-schema.ts";
import { targetText } from "../../lock/targets.ts";
import { clip, html, type Markup, name } from "../markup.ts";
import type { Size } from "./figure.ts";
import { fillOf } from "./patterns.ts";
import type { Plot } from "./scales.ts";

export interface TimeAxis {
  /** Place of a moment of a round. */
  at(round: number, ms: number): number;
  rounds: readonly number[];
  /** What is drawn of a round: its load and what came after. */
  roundMs: number;
  /** Length of the load alone. */
  loadMs: number;
  pxPerMs: number;
}

/** The rounds side by side, each from the start of its load. */
export function timeAxis(
  rounds: readonly number[],
  { roundMs, loadMs }: { roundMs: number; loadMs: number },
  { left, right }: Plot,
): TimeAxis {
  const each = (right - left) / Math.max(1, rounds.length);
  const place = new Map(rounds.map((round, index) => [round, left + index * each]));
  return {
    at: (round, ms) => (place.get(round) ?? left) + (Math.min(Math.max(ms, 0), roundMs) / roundMs) * each,
    rounds,
    roundMs,
    loadMs,
    pxPerMs: each / roundMs,
  };
}

export function drawTimeAxis(axis: TimeAxis, plot: Plot, size: Size): Markup[] {
  const each = axis.pxPerMs * axis.roundMs;
  const everyMs = tickStep(axis.roundMs, each / (size.compact ? 38 : 44));
  const namedEvery = Math.ceil((size.compact ? 24 : 60) / each);
  return axis.rounds.map((round, index) => {
    const start = axis.at(round, 0);
    const ticks: Markup[] = [];
    for (let ms = 0; ms < axis.roundMs - everyMs / 4; ms += everyMs) {
      if (ms === 0 && index > 0 && each < 120) continue;
      if (each < 90) continue;
      ticks.push(
        html`<text class="tick" x="${axis.at(round, ms)}" y="${plot.bottom + 16}" text-anchor="${ms === 0 ? "start" : "middle"}">${ms / 1000}${ms === 0 ? " s" : ""}</text>`,
      );
    }
    const title = each < 60 ? String(round) : `round ${round}`;
    const label =
      index % namedEvery === 0 &&
      html`<text class="label" x="${start + each / 2}" y="${plot.bottom + (each < 90 ? 16 : 31)}" text-anchor="middle">${title}</text>`;
    const edge =
      index > 0 && html`<line class="round-edge" x1="${start}" x2="${start}" y1="${plot.top}" y2="${plot.bottom}"/>`;
    const load = axis.loadMs < axis.roundMs * 0.98 && axis.at(round, axis.loadMs);
    const loadEnd =
      load &&
      html`<line class="load-end" x1="${load}" x2="${load}" y1="${plot.top}" y2="${plot.bottom}"><title>end of the load of round ${round}; after it what is left is worked off</title></line>`;
    return html`${edge}${loadEnd}${ticks}${label}`;
  });
}

interface Window {
  fault: FaultRecord;
  from: number;
  to: number;
  /** In force for the whole round: drawn as a strip, so that the others can be seen. */
  whole: boolean;
}

/** The windows in which faults were in force, shaded and hatched; those of a whole round as a strip at the bottom. */
export function drawWindows(faults: readonly FaultRecord[], axis: TimeAxis, plot: Plot): Markup {
  const windows = windowsOf(faults, axis);
  const strips = [...new Set(windows.filter(({ whole }) => whole).map(({ fault }) => fault.name))];
  return html`${windows.map(({ fault, from, to, whole }) => {
    const { className, fill } = fillOf(fault.look);
    const x = axis.at(fault.round, from);
    const width = Math.max(2, axis.at(fault.round, to) - x);
    const title = html`<title>${name(fault.name)} on ${targetText(name(fault.target, 2000))}, round ${fault.round}</title>`;
    if (whole) {
      const y = plot.bottom - 5 * (1 + strips.indexOf(fault.name));
      return html`<rect class="${className} window" x="${x}" y="${y}" width="${width}" height="4" fill="${fill}">${title}</rect>`;
    }
    return html`<rect class="${className} window" x="${x}" y="${plot.top}" width="${width}" height="${plot.bottom - plot.top}" fill="${fill}">${title}</rect><path class="${className} window-edge" d="M${x} ${plot.top}V${plot.bottom}M${x + width} ${plot.top}V${plot.bottom}"/>`;
  })}`;
}

/** Names of the windows in rows above a plot, as many rows as it takes; names without room are left to the legend. */
export function windowLabels(
  faults: readonly FaultRecord[],
  axis: TimeAxis,
): { height: number; draw(top: number): Markup } {
  const taken: number[] = [];
  const roundPx = axis.pxPerMs * axis.roundMs;
  const labels = windowsOf(faults, axis).flatMap(({ fault, from, whole }) => {
    const text = clip(fault.name, 24);
    const needed = text.length * 6.6 + 8;
    if (whole || needed > roundPx * 0.6) return [];
    const x = axis.at(fault.round, from);
    const free = taken.findIndex((end) => end < x);
    const row = free === -1 ? taken.length : free;
    if (row >= mostLabelRows) return [];
    taken[row] = x + needed;
    return [{ text, x, row, className: fillOf(fault.look).className }];
  });
  return {
    height: taken.length * 14,
    draw: (top) =>
      html`${labels.map(({ text, x, row, className }) => html`<path class="${className} window-edge" d="M${x} ${top + taken.length * 14}V${top + row * 14 + 2}"/><text class="${className} window-label" x="${x + 4}" y="${top + 11 + row * 14}">${text}</text>`)}`,
  };
}

const mostLabelRows = 4;

function windowsOf(faults: readonly FaultRecord[], axis: TimeAxis): Window[] {
  return faults
    .filter((fault) => fault.injectedAtMs !== null && axis.rounds.includes(fault.round))
    .map((fault) => {
      const from = Math.max(0, fault.injectedAtMs ?? 0);
      const to = fault.healedAtMs === null ? from : Math.min(fault.healedAtMs, axis.roundMs);
      return { fault, from, to, whole: to - from > 0.8 * axis.loadMs };
    })
    .sort((a, b) => axis.at(a.fault.round, a.from) - axis.at(b.fault.round, b.from));
}

function tickStep(roundMs: number, most: number): number {
  const steps = [
    100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 300_000, 600_000, 3_600_000, 21_600_000,
  ];
  return steps.find((step) => roundMs / step <= Math.max(1, most)) ?? roundMs;
}
