import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Benchmark, Figure } from "./figure.ts";
import { isMet } from "./figure.ts";

/** The machine, and when. */
export interface Measurement {
  machine: string;
  /** `2026-01-31`. */
  date: string;
}

export interface BenchmarkFigures extends Pick<Benchmark, "name" | "method"> {
  figures: readonly Figure[];
}

const head = `# Benchmarks

What was measured, each beside its peer in the same run, and beside the goal. Ratios within one run travel; absolute figures are of
the machine that is named with them. To measure again: \`npm run bench\` in a checkout, or \`npm run bench -- start-up\` for those whose
names begin so; \`-- --write\` puts the figures on this page. \`harness bench\` times single operations and needs no checkout:

<!-- test: replace "clock measure" with "clock --time 20ms --rounds 2" -->

\`\`\`sh
npx harness bench clock measure
\`\`\`

<!-- The sections below are written by \`npm run bench -- --write\`. -->
`;

/** Puts figures on the page: sections of benchmarks that did not run now stay as they are. */
export function writePage(path: string, results: readonly BenchmarkFigures[], measurement: Measurement): void {
  const old = existsSync(path) ? readFileSync(path, "utf8") : "";
  writeFileSync(path, pageText(old, results, measurement));
}

export function pageText(old: string, results: readonly BenchmarkFigures[], measurement: Measurement): string {
  const sections = new Map<string, string>();
  for (const section of old.split(/^(?=## )/m).slice(1)) sections.set(/^## (.*)$/m.exec(section)?.[1] ?? "", section);
  for (const result of results) sections.set(result.name, sectionOf(result, measurement));
  return `${[head.trim(), ...[...sections.values()].map((section) => section.trim())].join("\n\n")}\n`;
}

function sectionOf({ name, method, figures }: BenchmarkFigures, { machine, date }: Measurement): string {
  return [
    `## ${name}`,
    `${method}.`.replace(/\.\.$/, "."),
    [...tableHead, ...figures.map(row)].join("\n"),
    `Measured on ${date}: ${machine}.`,
  ].join("\n\n");
}

export const tableHead: readonly string[] = [
  "| figure | measured | peer in the same run | value | goal | met |",
  "| --- | --- | --- | --- | --- | --- |",
];

/** A figure as a row of the table. */
export function row(figure: Figure): string {
  const { name, measured, peer, value, unit, goal } = figure;
  const goalText = "atMost" in goal ? `<= ${goal.atMost}` : `>= ${goal.atLeast}`;
  const shown = `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`.trim();
  return (
    `| ${name} | ${measured} | ${peer ?? ""} | ${shown} | ${goalText} ${unit}`.trimEnd() +
    ` | ${isMet(figure) ? "yes" : "no"} |`
  );
}
