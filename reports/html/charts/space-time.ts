import type { ConvergeFailure } from "../../../harness/results/converge-schema.ts";
import { type Arrow, arrowsOf, clockLabel } from "../../converge/steps.ts";
import { clip, html, type Markup } from "../markup.ts";
import { drawing, type Size } from "./figure.ts";

const mostSteps = 60;
const regionColours = ["s1", "s-control", "s2", "s3", "s4", "s5", "s6"] as const;

interface Layout {
  x(region: number): number;
  y(step: number): number;
  textLeft: number;
  right: number;
}

/** A counterexample as a space-time diagram: regions as lines, time downwards, messages as arrows, clocks as labels. */
export function spaceTime(failure: ConvergeFailure, regionIds: readonly string[]): Markup {
  const draw = (size: Size) => drawDiagram(failure, regionIds, size);
  return html`<figure class="lanes"><div class="wide">${draw({ width: 1000, compact: false })}</div><div class="narrow">${draw({ width: 318, compact: true })}</div>${failure.steps.length > mostSteps && html`<p class="small quiet">The first ${mostSteps} of ${failure.steps.length} steps; the others are in the result file.</p>`}</figure>`;
}

function drawDiagram(failure: ConvergeFailure, regionIds: readonly string[], size: Size): Markup {
  const steps = failure.steps.slice(0, mostSteps);
  const rowHeight = 36;
  const laneWidth = Math.min(size.compact ? 88 : 150, (size.compact ? 250 : 450) / Math.max(1, regionIds.length - 1));
  const top = 34;
  const layout: Layout = {
    x: (region) => 44 + region * laneWidth,
    y: (step) => top + 18 + step * rowHeight,
    textLeft: 44 + (regionIds.length - 1) * laneWidth + 62,
    right: size.width,
  };
  const atEnd = failure.failedAt >= steps.length;
  const bottom = layout.y(steps.length - 1 + (atEnd ? 1 : 0)) + 24;
  const lines = regionIds.map(
    (id, region) =>
      html`<g class="${colour(region)}"><line class="region-line" x1="${layout.x(region)}" x2="${layout.x(region)}" y1="${top - 8}" y2="${bottom}"/><text class="label strong on" x="${layout.x(region)}" y="${top - 16}" text-anchor="middle">${clip(id, size.compact ? 10 : 18)}</text></g>`,
  );
  const content = html`${lines}${arrowsOf({ ...failure, steps }).map((arrow) => drawArrow(arrow, layout, steps.length))}${steps.map((_, index) => drawStep(failure, index, layout, size))}${atEnd && drawEnd(failure, regionIds, layout, steps.length)}`;
  return drawing(size, bottom + 6, `Space-time diagram of ${failure.oracle}`, content);
}

function drawStep(failure: ConvergeFailure, index: number, { x, y, textLeft, right }: Layout, size: Size): Markup {
  const step = failure.steps[index];
  if (step === undefined) return html``;
  const faulty = index === failure.failedAt;
  const [px, py] = [x(step.region), y(index)];
  const link =
    step.peer !== undefined &&
    html`<line class="link-${step.kind === "heal" ? "healed" : "cut"}" x1="${px}" x2="${x(step.peer)}" y1="${py}" y2="${py}"/>`;
  const clock = clockLabel(step);
  const clockText = clock !== "" && html`<text class="number halo" x="${px + 11}" y="${py + 13}">${clock}</text>`;
  const room = Math.floor((right - textLeft) / 6.9);
  const words = faulty ? `${step.text}  ← here` : step.text;
  const text = size.compact
    ? html`<text class="number halo" x="${px - 12}" y="${py + 4}" text-anchor="end">${index + 1}</text>`
    : html`<text class="number" x="22" y="${py + 4}" text-anchor="end">${index + 1}</text><text class="step-text${faulty && " faulty"}" x="${textLeft}" y="${py + 4}">${clip(words, Math.max(8, room))}</text>`;
  const shape = faulty
    ? html`<circle class="faulty-ring" cx="${px}" cy="${py}" r="10"/><path class="faulty-cross" d="M${px - 4} ${py - 4}l8 8M${px + 4} ${py - 4}l-8 8"/>`
    : shapeOf(step.kind, px, py);
  return html`${link}<g class="${colour(step.region)}">${shape}</g>${clockText}${text}`;
}

/** Operations are filled, messages are rings, everything else (clocks, crashes, links, collections) is a square. */
function shapeOf(kind: string, x: number, y: number): Markup {
  if (kind === "lose") return html``;
  if (kind === "operation") return html`<circle class="dot" cx="${x}" cy="${y}" r="6"/>`;
  if (/^(send|deliver|again|forward|exchange)$/.test(kind))
    return html`<circle class="ring" cx="${x}" cy="${y}" r="5"/>`;
  return html`<rect class="ring" x="${x - 5}" y="${y - 5}" width="10" height="10" rx="1.5"/>`;
}

function drawEnd(
  failure: ConvergeFailure,
  regionIds: readonly string[],
  { x, y, textLeft }: Layout,
  row: number,
): Markup {
  const marks = regionIds.map((_, region) =>
    region === failure.region
      ? html`<circle class="faulty-ring" cx="${x(region)}" cy="${y(row)}" r="10"/><path class="faulty-cross" d="M${x(region) - 4} ${y(row) - 4}l8 8M${x(region) + 4} ${y(row) - 4}l-8 8"/>`
      : html`<g class="${colour(region)}"><circle class="ring" cx="${x(region)}" cy="${y(row)}" r="5"/></g>`,
  );
  return html`<line class="end-line" x1="${x(0) - 20}" x2="${x(regionIds.length - 1) + 20}" y1="${y(row)}" y2="${y(row)}"/>${marks}<text class="step-text faulty" x="${textLeft}" y="${y(row) + 4}">after the final exchange  ← here</text>`;
}

function drawArrow({ number, from, to, target }: Arrow, { x, y }: Layout, steps: number): Markup {
  const [x1, y1] = [x(from.region), y(from.step)];
  const end =
    to === undefined
      ? { x: x1 + (x(target) - x1) * 0.55, y: y1 + Math.min(16, 8 * (steps - from.step)) }
      : { x: x(to.region), y: y(to.step) };
  const length = Math.hypot(end.x - x1, end.y - y1);
  if (length < 1) return html``;
  const [ux, uy] = [(end.x - x1) / length, (end.y - y1) / length];
  const lost = to?.lost === true;
  const stop = to === undefined ? 0 : lost ? length * 0.3 : 7;
  const [x2, y2] = [end.x - ux * stop, end.y - uy * stop];
  const head = lost
    ? html`<path class="message-lost" d="M${x2 - 5} ${y2 - 5}l10 10M${x2 + 5} ${y2 - 5}l-10 10"/>`
    : to !== undefined &&
      html`<path class="message-head" d="M${x2} ${y2}l${-8 * ux + 4 * uy} ${-8 * uy - 4 * ux}l${-8 * uy} ${8 * ux}Z"/>`;
  const [lx, ly] = [x1 + (x2 - x1) * 0.5, y1 + (y2 - y1) * 0.5];
  return html`<path class="message${(lost || to === undefined) && " open"}" d="M${x1 + ux * 6} ${y1 + uy * 6}L${x2} ${y2}"/>${head}<text class="number halo" x="${lx}" y="${ly - 4}" text-anchor="middle">m${number}</text>`;
}

function colour(region: number): string {
  return regionColours[region % regionColours.length] ?? "s1";
}
