import { area, curveMonotoneX, line } from "d3-shape";
import type { ArmResult, FaultRecord, SeriesPoint } from "../../../harness/results/lock-schema.ts";
import { formatDuration, formatMs, formatNumber, nothing } from "../../format.ts";
import { targetText } from "../../lock/targets.ts";
import { html, type Markup, name, numeric } from "../markup.ts";
import type { SeriesName } from "../style/tokens.ts";
import { areaSwatch, drawing, figure, type LegendEntry, lineSwatch, type Size } from "./figure.ts";
import { fillOf } from "./patterns.ts";
import { type Binned, rebin } from "./rebin.ts";
import { countScale, latencyScale, type Plot, type ValueScale, valueAxis } from "./scales.ts";
import { drawTimeAxis, drawWindows, type TimeAxis, timeAxis, windowLabels } from "./time-axis.ts";

export interface TimedArm {
  arm: ArmResult;
  series: SeriesName;
  label: string;
}

const steps = 120;

/** Acquire latency over time as bands between its quantiles, a panel for each lock arm. */
export function latencyOverTime(arms: readonly TimedArm[], faults: readonly FaultRecord[], loadMs: number): Markup {
  const measured = arms.filter(({ arm }) => arm.series.some(({ acquireP50Ms }) => acquireP50Ms !== null));
  if (measured.length === 0) return html``;
  const binned = measured.map(({ arm }) => rebin(arm, steps));
  const values = binned
    .flatMap(({ points }) => points.flatMap((point) => [point.acquireP50Ms, point.acquireMaxMs]))
    .filter((value) => value !== null);
  const extent = extentOf(binned, loadMs);
  const stepMs = binned[0]?.stepMs ?? 0;
  return figure({
    id: "latency-time",
    title: "Time to acquire, over time",
    note: `Line: P50. Bands: up to P90 and up to P99. Each step is ${formatDuration(stepMs)}${stepMs > (measured[0]?.arm.seriesStepMs ?? 0) ? ": the median of its P50s and the highest of its P90s and P99s" : ""}.`,
    legend: faultLegend(faults),
    draw: (size) =>
      panels(
        size,
        "Acquire latency over time",
        measured,
        faults,
        extent,
        size.compact ? 130 : 150,
        (plot, axis, index) => {
          const scale = latencyScale(values, plot);
          return bands(binned[index], measured[index]?.series ?? "s1", axis, scale, plot);
        },
      ),
    table: {
      head: ["Time", ...measured.flatMap(({ label }) => [`${label} P50`, "P90", "P99", "maximum"])],
      rows: tableRows(binned, ({ acquireP50Ms, acquireP90Ms, acquireP99Ms, acquireMaxMs }) =>
        [acquireP50Ms, acquireP90Ms, acquireP99Ms, acquireMaxMs].map(formatMs),
      ),
    },
  });
}

/** Jobs executed twice or more over time, a panel an arm on one scale: an empty panel is the point. */
export function duplicatesOverTime(arms: readonly TimedArm[], faults: readonly FaultRecord[], loadMs: number): Markup {
  const binned = arms.map(({ arm }) => rebin(arm, steps));
  const highest = Math.max(0, ...binned.flatMap(({ points }) => points.map(({ duplicates }) => duplicates)));
  if (arms.every(({ arm }) => arm.jobs.offered === 0)) return html``;
  const extent = extentOf(binned, loadMs);
  return figure({
    id: "duplicates-time",
    title: "Jobs executed twice or more, over time",
    note: `Jobs in each ${formatDuration(binned[0]?.stepMs)}, at the moment of their second effect.`,
    legend: faultLegend(faults),
    draw: (size) =>
      panels(size, "Duplicates over time", arms, faults, extent, size.compact ? 60 : 66, (plot, axis, index) => {
        const scale = countScale(highest, plot, 2);
        const none =
          arms[index]?.arm.jobs.duplicated === 0 &&
          html`<text class="label strong halo" x="${plot.left + 8}" y="${(plot.top + plot.bottom) / 2 + 4}">none</text>`;
        return html`${valueAxis(scale, plot)}${bars(binned[index], arms[index]?.series ?? "s1", axis, scale)}${none}`;
      }),
    table: {
      head: ["Time", ...arms.map(({ label }) => label)],
      rows: tableRows(binned, ({ duplicates }) => [formatNumber(duplicates)]),
    },
  });
}

/** Jobs offered and jobs done each second: where the load waited and how it caught up. */
export function throughputOverTime(arms: readonly TimedArm[], faults: readonly FaultRecord[], loadMs: number): Markup {
  if (arms.every(({ arm }) => arm.series.every(({ achieved }) => achieved === 0))) return html``;
  const binned = arms.map(({ arm }) => rebin(arm, steps));
  const perSecond = (value: number, index: number) => (value * 1000) / (binned[index]?.stepMs ?? 1000);
  const highest = Math.max(
    ...binned.flatMap(({ points }, index) =>
      points.map(({ offered, achieved }) => perSecond(Math.max(offered, achieved), index)),
    ),
  );
  const extent = extentOf(binned, loadMs);
  return figure({
    id: "throughput-time",
    title: "Throughput, over time",
    note: "Grey: jobs offered each second. Line: jobs done each second.",
    legend: [
      ...arms.map(({ label, series }) => ({ label, swatch: lineSwatch(series) })),
      { label: "offered", swatch: areaSwatch("offered") },
      ...faultLegend(faults),
    ],
    draw: (size) =>
      panels(size, "Throughput over time", arms, faults, extent, size.compact ? 84 : 92, (plot, axis, index) => {
        const scale = countScale(highest, plot, 3);
        const rate = (value: number) => perSecond(value, index);
        return html`${valueAxis(scale, plot)}${byRound(binned[index]).map((points) => {
          const middle = (point: SeriesPoint) => axis.at(point.round, point.atMs + (binned[index]?.stepMs ?? 0) / 2);
          const ground = area<SeriesPoint>(middle, plot.bottom, (point) => scale.at(rate(point.offered))).digits(1);
          const done = line<SeriesPoint>(middle, (point) => scale.at(rate(point.achieved))).digits(1);
          return html`<path class="offered" d="${numeric(ground(points))}"/><path class="line ${arms[index]?.series ?? "s1"}" d="${numeric(done(points))}"/>`;
        })}`;
      }),
    table: {
      head: ["Time", ...arms.flatMap(({ label }) => [`${label} offered/s`, "done/s"])],
      rows: tableRows(binned, ({ offered, achieved }, index) =>
        [offered, achieved].map((value) => formatNumber(perSecond(value, index), 1)),
      ),
    },
  });
}

interface Extent {
  rounds: number[];
  roundMs: number;
  loadMs: number;
}

/** The rounds and how much of each there is to draw, in steps of the bins. */
function extentOf(binned: readonly Binned[], loadMs: number): Extent {
  const rounds = new Set<number>();
  let roundMs = loadMs;
  for (const { points, stepMs } of binned) {
    for (const { round, atMs } of points) {
      rounds.add(round);
      roundMs = Math.max(roundMs, atMs + stepMs);
    }
  }
  return { rounds: [...rounds].sort((a, b) => a - b), roundMs, loadMs };
}

function panels(
  size: Size,
  label: string,
  arms: readonly TimedArm[],
  faults: readonly FaultRecord[],
  { rounds, roundMs, loadMs }: Extent,
  panelHeight: number,
  draw: (plot: Plot, axis: TimeAxis, index: number) => Markup,
): Markup {
  const [left, right] = [56, size.width - 10];
  const span = { left, right, top: 0, bottom: 0 };
  const axis = timeAxis(rounds, { roundMs, loadMs }, span);
  const faultsOf = (arm: ArmResult | undefined) => faults.filter((fault) => fault.arm === arm?.name);
  const labels = windowLabels(faultsOf(arms[0]?.arm), axis);
  const firstTop = labels.height + 22;
  const bottomOf = (index: number) => labels.height + (index + 1) * panelHeight - 4;
  const content = arms.map(({ arm, label: armLabel, series }, index) => {
    const plot: Plot = { left, right, top: labels.height + index * panelHeight + 22, bottom: bottomOf(index) };
    return html`${drawWindows(faultsOf(arm), axis, plot)}${draw(plot, axis, index)}<line class="axis" x1="${left}" x2="${right}" y1="${plot.bottom}" y2="${plot.bottom}"/><text class="label on strong halo ${series}" x="${left}" y="${plot.top - 6}">${armLabel}</text>`;
  });
  const last = { left, right, top: firstTop, bottom: bottomOf(arms.length - 1) };
  const xs =
    arms[0] === undefined ? [] : rebin(arms[0].arm, steps).points.map(({ round, atMs }) => axis.at(round, atMs));
  return drawing(size, last.bottom + 38, label, html`${labels.draw(0)}${content}${drawTimeAxis(axis, last, size)}`, xs);
}

function bands(binned: Binned | undefined, series: SeriesName, axis: TimeAxis, scale: ValueScale, plot: Plot): Markup {
  const middle = (point: SeriesPoint) => axis.at(point.round, point.atMs + (binned?.stepMs ?? 0) / 2);
  const band = (low: (p: SeriesPoint) => number | null, high: (p: SeriesPoint) => number | null) =>
    area<SeriesPoint>(
      middle,
      (p) => scale.at(low(p) ?? 0),
      (p) => scale.at(high(p) ?? 0),
    )
      .defined((p) => low(p) !== null && high(p) !== null)
      .curve(curveMonotoneX)
      .digits(1);
  const inner = band(
    (p) => p.acquireP50Ms,
    (p) => p.acquireP90Ms,
  );
  const outer = band(
    (p) => p.acquireP90Ms,
    (p) => p.acquireP99Ms,
  );
  const middleLine = line<SeriesPoint>(middle, (p) => scale.at(p.acquireP50Ms ?? 0))
    .defined((p) => p.acquireP50Ms !== null)
    .curve(curveMonotoneX)
    .digits(1);
  return html`${valueAxis(scale, plot)}${byRound(binned).map(
    (points) =>
      html`<g class="${series}"><path class="band-outer" d="${numeric(outer(points))}"/><path class="band-inner" d="${numeric(inner(points))}"/><path class="line" d="${numeric(middleLine(points))}"/></g>`,
  )}`;
}

function bars(binned: Binned | undefined, series: SeriesName, axis: TimeAxis, scale: ValueScale): Markup {
  const width = Math.max(1.5, axis.pxPerMs * (binned?.stepMs ?? 0) - 1);
  const rects = (binned?.points ?? [])
    .filter(({ duplicates }) => duplicates > 0)
    .map(({ round, atMs, duplicates }) => {
      const y = scale.at(duplicates);
      return html`<rect x="${axis.at(round, atMs) + 0.5}" y="${y}" width="${width}" height="${scale.at(0) - y}"/>`;
    });
  return html`<g class="bar ${series}">${rects}</g>`;
}

function byRound(binned: Binned | undefined): SeriesPoint[][] {
  const rounds = new Map<number, SeriesPoint[]>();
  for (const point of binned?.points ?? []) rounds.set(point.round, [...(rounds.get(point.round) ?? []), point]);
  return [...rounds.values()];
}

function tableRows(binned: readonly Binned[], cells: (point: SeriesPoint, arm: number) => string[]): string[][] {
  const first = binned[0]?.points ?? [];
  const found = binned.map(({ points }) => new Map(points.map((point) => [`${point.round}:${point.atMs}`, point])));
  return first.map(({ round, atMs }) => [
    `round ${round}, ${formatDuration(atMs)}`,
    ...found.flatMap((points, index) => {
      const point = points.get(`${round}:${atMs}`);
      const sample = points.values().next().value;
      if (point !== undefined) return cells(point, index);
      return sample === undefined ? [] : cells(sample, index).map(() => nothing);
    }),
  ]);
}

function faultLegend(faults: readonly FaultRecord[]): LegendEntry[] {
  const kinds = new Map<string, { fault: FaultRecord; targets: Set<string> }>();
  for (const fault of faults) {
    const known = kinds.get(fault.name) ?? { fault, targets: new Set() };
    kinds.set(fault.name, known);
    known.targets.add(targetText(name(fault.target, 2000)));
  }
  const entries = [...kinds.values()].map(({ fault, targets }) => {
    const { className, fill } = fillOf(fault.look);
    const where =
      targets.size > 4 ? `${targets.size} targets` : [...targets].map((target) => name(target, 40)).join(", ");
    return { label: `${name(fault.name, 40)} on ${where}`, swatch: areaSwatch(className, fill) };
  });
  const left = entries.length - 8;
  return left > 0 ? [...entries.slice(0, 8), { label: `and ${left} more kinds of faults`, swatch: html`` }] : entries;
}
