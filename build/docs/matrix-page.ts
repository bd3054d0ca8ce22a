import type { CellVerdict, MatrixCell, MatrixResult } from "../../harness/results/matrix-schema.ts";
import { table } from "./markdown.ts";

const SIGNS: Record<CellVerdict, string> = {
  held: "✅",
  broke: "❌",
  hung: "⌛",
  unknown: "❔",
  "not-applicable": "–",
};
const LEGEND = "✅ held · ❌ broke · ⌛ hung · ❔ unknown · – not applicable · empty: did not run";

/** What a matrix showed, as the part of `docs/matrix.md` that is measured. */
export interface MatrixPage {
  result: MatrixResult;
  /** The same with another seed: which cells changed. */
  again?: MatrixResult;
  /** Of the locks that ship: `own`, `npm`, `broken`. */
  familyOf(lock: string): string | undefined;
}

/** Everything from the heading `## Measured` on. Pure, from results only. */
export function measuredPart({ result, again, familyOf }: MatrixPage): string {
  const locks = result.locks.filter(({ name }) => result.cells.some(({ lock }) => lock === name));
  const broken = locks.filter(({ brokenOnPurpose }) => brokenOnPurpose);
  const own = locks.filter((lock) => !broken.includes(lock) && familyOf(lock.name) !== "npm");
  const npm = locks.filter((lock) => !broken.includes(lock) && familyOf(lock.name) === "npm");
  const groups: [string, typeof locks][] = [
    ["Own locks", own],
    ["Libraries on one server", npm.filter(({ name }) => !needsNodes(result, name))],
    ["Libraries on five nodes", npm.filter(({ name }) => needsNodes(result, name))],
    ["Broken on purpose", broken],
  ];
  const names = (group: typeof locks) => group.map(({ name }) => name);
  const sections = [
    "## Measured",
    setting(result),
    LEGEND,
    ...groups
      .filter(([, group]) => group.length > 0)
      .flatMap(([title, group]) => [`### ${title}`, grid(result, names(group))]),
    "## What broke, and by what",
    ...names([...own, ...npm]).flatMap((name) => lockSection(result, name)),
    ...unknownSection(result),
    ...(again ? againSection(result, again) : []),
  ];
  return `${sections.join("\n\n")}\n`;
}

/** A scenario about independent nodes applies to it. */
function needsNodes({ cells }: MatrixResult, name: string): boolean {
  return cells.some(
    ({ lock, scenario, verdict }) => lock === name && scenario === "hole-1-of-5" && verdict !== "not-applicable",
  );
}

function setting({ startedAt, seed, environment, cells, durationMs, replay }: MatrixResult): string {
  const { node, cores, redis } = environment;
  const day = new Date(startedAt).toLocaleDateString("en-GB", {
    ...{ day: "numeric", month: "long", year: "numeric", timeZone: "UTC" },
  });
  const ran = cells.filter(({ verdict }) => verdict !== "not-applicable");
  const judged = ran.filter(({ verdict }) => verdict !== "unknown");
  const minutes = Math.floor(durationMs / 60_000);
  const seconds = Math.round((durationMs % 60_000) / 1_000);
  const on = [`Node ${node}`, ...(redis ? [`Redis ${redis.version}`] : []), `${cores} cores`].join(", ");
  return `Seed ${seed}, ${day}, ${on}. ${judged.length} of ${ran.length} cells reached a verdict, in ${minutes} min ${seconds} s in all. Run it again with \`${replay}\`.`;
}

function grid(result: MatrixResult, locks: readonly string[]): string {
  const rows = result.scenarios.flatMap(({ name }) => {
    const cells = locks.map((lock) => cellOf(result, lock, name));
    const says = cells.some((cell) => cell !== undefined && cell.verdict !== "not-applicable");
    return says ? [[name, ...cells.map(shown)]] : [];
  });
  return table(["scenario", ...locks], rows);
}

const shown = (cell: MatrixCell | undefined) =>
  cell === undefined ? "" : `${SIGNS[cell.verdict]} ${cell.checks.join(", ")}`.trim();

const cellOf = ({ cells }: MatrixResult, lock: string, scenario: string) =>
  cells.find((cell) => cell.lock === lock && cell.scenario === scenario);

function lockSection({ cells }: MatrixResult, name: string): string[] {
  const bad = cells.filter(({ lock, verdict }) => lock === name && (verdict === "broke" || verdict === "hung"));
  if (bad.length === 0) return [];
  const lines = bad.map(
    (cell) => `- ${SIGNS[cell.verdict]} **${cell.scenario}**, ${cell.checks.join(", ")}: ${said(cell)}`,
  );
  return [`### ${name}`, lines.join("\n")];
}

const said = ({ reason, evidence }: MatrixCell) =>
  evidence[0] ? `${evidence[0].class}. ${evidence[0].message}` : reason;

function unknownSection({ cells }: MatrixResult): string[] {
  const unknown = cells.filter(({ verdict }) => verdict === "unknown");
  if (unknown.length === 0) return [];
  return [
    "## Without a verdict",
    unknown.map(({ lock, scenario, reason }) => `- ${lock} in ${scenario}: ${reason}`).join("\n"),
  ];
}

/** Cells whose verdict another seed changed, with what was said each time. */
function againSection(result: MatrixResult, again: MatrixResult): string[] {
  const both = result.cells.flatMap((cell) => {
    const other = cellOf(again, cell.lock, cell.scenario);
    return other && cell.verdict !== "not-applicable" ? [{ cell, other }] : [];
  });
  const changed = both.filter(({ cell, other }) => cell.verdict !== other.verdict);
  const rows = changed.map(({ cell, other }) => [
    cell.lock,
    cell.scenario,
    `${shown(cell)}: ${said(cell)}`,
    `${shown(other)}: ${said(other)}`,
  ]);
  const head = ["lock", "scenario", `seed ${result.seed}`, `seed ${again.seed}`];
  return [
    "## With another seed",
    `The same with seed ${again.seed}: ${both.length - changed.length} of ${both.length} cells came to the same verdict.`,
    ...(rows.length > 0 ? [table(head, rows)] : []),
  ];
}
