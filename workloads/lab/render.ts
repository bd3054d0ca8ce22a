import { createColors } from "picocolors";
import type { MugRow, PlayedPolicies, PolicyOutcome } from "./policies.ts";
import {
  LAB_NAMES,
  LAB_REGIONS,
  type LabRegion,
  type PlayedScene,
  type PlayedStep,
  type RegionSnapshot,
} from "./scene.ts";
import { hang, wrap } from "./text.ts";

export interface LabRenderOptions {
  color: boolean;
  /** Columns of the terminal. Under 72 the regions stand below each other. */
  width: number;
}

/** A scene step by step, or the table of policies. */
export type Played = PlayedScene | PlayedPolicies;

type Colors = ReturnType<typeof createColors>;

/** A line of a column, styled after it was padded. */
interface Cell {
  text: string;
  style: (text: string) => string;
}

const INDENT = "    ";
const GAP = "   ";
const STACK_BELOW = 72;
const MAX_WIDTH = 110;

/** The whole scene as plain text, ready for stdout. */
export function renderLab(played: Played, options: LabRenderOptions): string {
  return `${renderLabSteps(played, options).join("\n")}\n`;
}

/** The scene in the pieces between which a reader may want to pause: the opening, each step or row, the moral. */
export function renderLabSteps(played: Played, { color, width }: LabRenderOptions): string[] {
  const colors = createColors(color);
  const usable = Math.max(30, Math.min(width, MAX_WIDTH));
  const middle =
    "steps" in played
      ? played.steps.map((step) => renderStep(step, colors, usable))
      : played.outcomes.map((outcome) => renderOutcome(outcome, colors, usable));
  const moral = hang("  => ", "     ", played.moral, usable).map(colors.cyan);
  return [opening(played, colors, usable), ...middle, [...moral, ""].join("\n")];
}

function renderOutcome({ policy, rows, lost, refused, cost }: PolicyOutcome, colors: Colors, width: number): string {
  const row = ({ price, stock, tags }: MugRow) => `price ${price}, stock ${stock}, tags [${tags.join(", ")}]`;
  const same = row(rows.fra) === row(rows.cai);
  const entry = (label: string, text: string) => hang(`${INDENT}${label.padEnd(9)}  `, " ".repeat(15), text, width);
  return [
    colors.bold(policy),
    ...(same ? entry("both show", row(rows.fra)) : LAB_REGIONS.flatMap((at) => entry(LAB_NAMES[at], row(rows[at])))),
    ...entry("lost", lost.length === 0 ? "nothing" : lost.join(", ")).map(
      lost.length === 0 ? colors.green : colors.red,
    ),
    ...entry("refused", refused.length === 0 ? "nothing" : refused.join(", ")),
    ...entry("waits for", cost === "none" ? "nobody" : cost),
    "",
  ].join("\n");
}

function opening({ id, title, setting }: Played, colors: Colors, width: number): string {
  const heading = `Scene ${id}: ${title}`;
  return [
    ...wrap(heading, width).map(colors.bold),
    colors.dim("─".repeat(Math.min(heading.length, width))),
    ...setting.flatMap((paragraph) => [...wrap(paragraph, width), ""]),
  ].join("\n");
}

function renderStep(step: PlayedStep, colors: Colors, width: number): string {
  const number = `${step.number}.`.padEnd(INDENT.length);
  return [
    ...hang(number, INDENT, step.say, width).map(colors.bold),
    ...regions(step, colors, width).map((line) => (INDENT + line).trimEnd()),
    ...(step.why === undefined ? [] : hang(`${INDENT}~ `, `${INDENT}  `, step.why, width).map(colors.italic)),
    "",
  ].join("\n");
}

function regions(step: PlayedStep, colors: Colors, width: number): string[] {
  if (nothingMoved(step)) return [linkLine(step, colors)];
  if (width < STACK_BELOW) {
    const inner = width - INDENT.length;
    const [fra, cai] = LAB_REGIONS.map((region) => column(region, step[region], colors, inner));
    return [...(fra ?? []), { text: step.link === "up" ? "|" : "x  link down", style: colors.dim }, ...(cai ?? [])].map(
      ({ text, style }) => style(text),
    );
  }
  const link = step.link === "up" ? "<==>" : "<xx>";
  const inner = Math.floor((width - INDENT.length - link.length - 2 * GAP.length) / 2);
  const [left, right] = LAB_REGIONS.map((region) => column(region, step[region], colors, inner)) as [Cell[], Cell[]];
  const linkStyle = step.link === "up" ? colors.green : colors.red;
  return Array.from({ length: Math.max(left.length, right.length) }, (_, row) => {
    const middle = row === 0 ? linkStyle(link) : " ".repeat(link.length);
    return padded(left[row], inner) + GAP + middle + GAP + padded(right[row], inner);
  });
}

/** Only the link changed, if anything: there is no need to show the same twice. */
function nothingMoved({ number, fra, cai }: PlayedStep): boolean {
  const isStill = (region: RegionSnapshot) =>
    region.changed.length === 0 && region.answer === undefined && !region.clockMoved;
  return number > 0 && isStill(fra) && isStill(cai);
}

function linkLine({ link }: PlayedStep, colors: Colors): string {
  const [left, right] = LAB_REGIONS.map((region) => LAB_NAMES[region]);
  return link === "up" ? colors.green(`${left} <==> ${right}`) : colors.red(`${left} <xx> ${right}`);
}

function column(region: LabRegion, snapshot: RegionSnapshot, colors: Colors, width: number): Cell[] {
  const name = LAB_NAMES[region];
  const clock = `wall clock ${snapshot.wallMs}`;
  const head = name + clock.padStart(Math.max(clock.length + 1, width - name.length));
  const labels = Math.max(...snapshot.lines.map(({ label }) => label.length));
  const plain = (text: string) => text;
  const cells: Cell[] = [{ text: head, style: colors.underline }];
  for (const { label, value, inside } of snapshot.lines) {
    const changed = snapshot.changed.includes(label);
    const first = `${changed ? "* " : "  "}${label.padEnd(labels)}  `;
    const rest = " ".repeat(first.length);
    for (const text of hang(first, rest, value, width)) cells.push({ text, style: changed ? colors.green : plain });
    if (inside === undefined) continue;
    for (const text of hang(rest, rest, inside, width)) cells.push({ text, style: colors.dim });
  }
  if (snapshot.answer !== undefined) {
    const { kind, text } = snapshot.answer;
    const style = { accepted: colors.green, refused: colors.red, alert: colors.yellow }[kind];
    const word = { accepted: "", refused: "refused, ", alert: "refused with an alert, " }[kind];
    for (const line of hang("  -> ", "     ", word + text, width)) cells.push({ text: line, style });
  }
  return cells;
}

function padded(cell: Cell | undefined, width: number): string {
  if (cell === undefined) return " ".repeat(width);
  return cell.style(cell.text) + " ".repeat(Math.max(0, width - cell.text.length));
}
