import { scaleLinear } from "d3-scale";
import type { Evidence } from "../../../harness/contracts/check.ts";
import { type FaultSpan, type Hold, type Lane, type LaneMark, laneDiagram, type Span } from "../../evidence/lanes.ts";
import { formatDuration } from "../../format.ts";
import { clip, html, type Markup } from "../markup.ts";
import { drawing, type Size } from "./figure.ts";

const laneColours = ["s1", "s-control", "s3", "s2", "s4", "s5"] as const;
const mostLanes = 12;
const mostFaultRows = 4;

/** The workers of a finding side by side: who held the lock when, who was paused, whose effect came when. */
export function workerLanes(evidence: readonly Evidence[], label: string, near: readonly FaultSpan[] = []): Markup {
  const diagram = laneDiagram(evidence);
  if (diagram.lanes.length === 0 || diagram.endMs <= 0) return html``;
  const lanes = diagram.lanes.slice(0, mostLanes);
  const left = diagram.lanes.length - lanes.length;
  // What the run knows of a fault is whole; the evidence may hold no more than its end.
  const isNear = (fault: FaultSpan) => near.some(({ name, target }) => name === fault.name && target === fault.target);
  const faults = [...near, ...diagram.faults.filter((fault) => !isNear(fault))];
  const draw = (size: Size) => drawLanes(size, lanes, faults, diagram.overlaps, diagram.endMs, label);
  return html`<figure class="lanes"><div class="wide">${draw({ width: 1000, compact: false })}</div><div class="narrow">${draw({ width: 318, compact: true })}</div>${left > 0 && html`<p class="small quiet">${left} more executions are in the list below.</p>`}</figure>`;
}

function drawLanes(
  size: Size,
  lanes: readonly Lane[],
  faults: readonly FaultSpan[],
  overlaps: readonly Span[],
  endMs: number,
  label: string,
): Markup {
  const laneHeight = size.compact ? 58 : 46;
  const everyones = faults.filter(({ worker }) => worker === undefined).slice(0, mostFaultRows);
  // Above the lanes: how long two hold the lock, then the faults that hit everyone, a row for each.
  const faultTop = overlaps.length > 0 ? 20 : 4;
  const [left, right, top] = [size.compact ? 4 : 190, size.width - 16, faultTop + 4 + everyones.length * 14];
  const bottom = top + lanes.length * laneHeight;
  const scale = scaleLinear().domain([0, endMs]).range([left, right]);
  const x = (ms: number) => scale(Math.min(endMs, Math.max(0, ms)));
  const y = (index: number) => top + index * laneHeight + (size.compact ? 36 : 25);
  const ticks = scale.ticks(size.compact ? 3 : 8);
  const content = html`${ticks.map((ms) => html`<line class="grid" x1="${x(ms)}" x2="${x(ms)}" y1="${top}" y2="${bottom}"/><text class="tick" x="${x(ms)}" y="${bottom + 16}" text-anchor="${ms === 0 ? "start" : "middle"}">${formatDuration(ms)}</text>`)}<text class="tick" x="${(left + right) / 2}" y="${bottom + 32}" text-anchor="middle">time since the first event of the evidence</text>
${everyones.map((fault, index) => drawFault(fault, x, faultTop + index * 14, { top, bottom, right }))}
${faults.map((fault) => fault.worker !== undefined && drawStop(fault, lanes, x, y))}
${overlaps.slice(0, 3).map((overlap) => drawOverlap(overlap, x, top, bottom, size))}
${lanes.map((lane, index) => drawLane(lane, index, x, y(index), size))}`;
  return drawing(size, bottom + 40, `Lanes of the workers: ${label}`, content);
}

function drawLane(lane: Lane, index: number, x: (ms: number) => number, y: number, size: Size): Markup {
  const colour = laneColours[index % laneColours.length] ?? "s1";
  const worker = `worker ${lane.worker}`;
  const execution = lane.execution === undefined ? "" : clip(lane.execution, 26);
  const title = size.compact
    ? html`<text class="label strong halo" x="4" y="${y - 21}">${worker} <tspan class="label">${execution}</tspan></text>`
    : html`<text class="label strong" x="0" y="${y - 1}">${worker}</text><text class="label" x="0" y="${y + 13}">${execution}</text>`;
  let lastNumber = Number.NEGATIVE_INFINITY;
  const marks = lane.marks.map((mark) => {
    const place = x(mark.atMs);
    const numbered = place - lastNumber > 13;
    if (numbered) lastNumber = place;
    return html`${drawMark(mark, place, y)}${numbered && html`<text class="number halo" x="${place}" y="${y - 11}" text-anchor="middle">${mark.number}</text>`}`;
  });
  return html`<g class="${colour}"><line class="lane" x1="${x(0)}" x2="${x(Number.MAX_VALUE)}" y1="${y}" y2="${y}"/>${lane.holds.map((hold) => drawHold(hold, x, y))}${marks}</g>${title}`;
}

function drawHold({ fromMs, toMs, claimEndsMs }: Hold, x: (ms: number) => number, y: number): Markup {
  const inClaim = Math.min(toMs, claimEndsMs ?? toMs);
  const solid = html`<rect class="hold" x="${x(fromMs)}" y="${y - 7}" width="${Math.max(2, x(inClaim) - x(fromMs))}" height="14" rx="2"><title>holds the lock for ${formatDuration(toMs - fromMs)}</title></rect>`;
  if (inClaim >= toMs) return solid;
  return html`${solid}<rect class="hold-past" x="${x(inClaim)}" y="${y - 6.5}" width="${Math.max(1, x(toMs) - x(inClaim))}" height="13"><title>still believes it holds the lock, ${formatDuration(toMs - inClaim)} beyond its claim</title></rect>`;
}

function drawMark({ kind }: LaneMark, x: number, y: number): Markup {
  if (kind === "grant")
    return html`<path class="event" d="M${x - 5} ${y + 6}L${x} ${y - 5}L${x + 5} ${y + 6}Z"><title>granted</title></path>`;
  if (kind === "release")
    return html`<path class="event" d="M${x - 5} ${y - 6}L${x} ${y + 5}L${x + 5} ${y - 6}Z"><title>release</title></path>`;
  if (kind === "effect") return html`<circle class="effect" cx="${x}" cy="${y}" r="6"><title>effect</title></circle>`;
  if (kind === "lost" || kind === "refused")
    return html`<path class="event" d="M${x - 5} ${y - 5}L${x + 5} ${y + 5}M${x + 5} ${y - 5}L${x - 5} ${y + 5}"><title>${kind}</title></path>`;
  return html`<path class="event" d="M${x} ${y - 5}V${y + 5}"/>`;
}

/** A fault that hits everyone: shaded over all lanes, its name in a row above them. */
function drawFault(
  fault: FaultSpan,
  x: (ms: number) => number,
  labelTop: number,
  { top, bottom, right }: { top: number; bottom: number; right: number },
): Markup {
  const from = x(fault.fromMs);
  const width = Math.max(2, x(fault.toMs) - from);
  const title = clip(`${fault.name} ${fault.target}`, 34);
  const fits = from + 4 + title.length * 6.6 <= right + 12;
  return html`<rect class="f-redis window" x="${from}" y="${top}" width="${width}" height="${bottom - top}" fill="url(#p-redis-hatch)"/><path class="f-redis window-edge" d="M${from} ${labelTop + 2}V${bottom}"/><text class="f-redis window-label" x="${fits ? from + 4 : right}" y="${labelTop + 11}" text-anchor="${fits ? "start" : "end"}">${title}</text>`;
}

/** A fault of one worker, in its lanes alone. */
function drawStop(
  fault: FaultSpan,
  lanes: readonly Lane[],
  x: (ms: number) => number,
  y: (index: number) => number,
): Markup {
  const from = x(fault.fromMs);
  const width = Math.max(2, x(fault.toMs) - from);
  const title = clip(`${fault.name} ${fault.target}`, 34);
  const fits = from + 3 + title.length * 6.6 <= x(Number.MAX_VALUE) + 12;
  const [place, anchor] = fits ? [from + 3, "start"] : [from + width, "end"];
  return html`${lanes.map((lane, index) => lane.worker === fault.worker && html`<rect class="f-worker" x="${from}" y="${y(index) - 10}" width="${width}" height="20" fill="url(#p-worker-hatch)"/><text class="f-worker window-label halo" x="${place}" y="${y(index) + 21}" text-anchor="${anchor}">${title}</text>`)}`;
}

function drawOverlap(
  { fromMs, toMs }: Span,
  x: (ms: number) => number,
  top: number,
  bottom: number,
  size: Size,
): Markup {
  const [from, to] = [x(fromMs), x(toMs)];
  const middle = (from + to) / 2;
  const text = `${size.compact ? "" : "both hold the lock: "}${formatDuration(toMs - fromMs)}`;
  const half = text.length * 3.4;
  const anchor = middle - half < 0 ? "start" : middle + half > size.width ? "end" : "middle";
  const place = anchor === "start" ? Math.max(0, from) : anchor === "end" ? size.width - 2 : middle;
  return html`<rect class="overlap" x="${from}" y="${top}" width="${Math.max(1.5, to - from)}" height="${bottom - top}"/><path class="overlap-edge" d="M${from} ${top}V${bottom}M${to} ${top}V${bottom}"/><text class="overlap-label" x="${place}" y="13" text-anchor="${anchor}">${text}</text>`;
}

/** How to read the lanes, once for all findings. */
export function lanesLegend(): Markup {
  const entry = (shape: Markup, text: string) =>
    html`<li><svg viewBox="0 0 26 12" class="s1" aria-hidden="true">${shape}</svg>${text}</li>`;
  return html`<ul class="legend">
${entry(html`<rect class="hold" width="26" height="12" rx="2"/>`, "believes it holds the lock, within its claim")}
${entry(html`<rect class="hold-past" x="1" y="1" width="24" height="10"/>`, "still believes it, beyond its claim")}
${entry(html`<g transform="translate(13 6)">${drawMark({ kind: "grant", atMs: 0, number: 0 }, 0, 0)}</g>`, "granted")}
${entry(html`<g transform="translate(13 6)">${drawMark({ kind: "effect", atMs: 0, number: 0 }, 0, 0)}</g>`, "effect")}
${entry(html`<g transform="translate(13 6)">${drawMark({ kind: "release", atMs: 0, number: 0 }, 0, 0)}</g>`, "calls release")}
${entry(html`<g transform="translate(13 6)">${drawMark({ kind: "lost", atMs: 0, number: 0 }, 0, 0)}</g>`, "told that it is lost, or refused")}
${entry(html`<rect class="overlap" width="26" height="12"/>`, "two hold one key")}
</ul>`;
}
