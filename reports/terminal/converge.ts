import type { ConvergeCrdt, ConvergeFailure, ConvergeResult } from "../../harness/results/converge-schema.ts";
import { clockLabel } from "../converge/steps.ts";
import {
  convergeSetting,
  counterexamplesOf,
  crdtVerdict,
  exhaustiveSentences,
  neverMet,
  oraclesOf,
  priceSentences,
  shrunkText,
} from "../converge/summary.ts";
import { visible } from "../escape.ts";
import { formatDuration, formatNumber, nothing } from "../format.ts";
import type { TerminalOptions } from "./lock.ts";
import { createPaint, type Paint } from "./paint.ts";
import { renderColumns } from "./plain-table.ts";
import { columns, padEnd, paragraph } from "./text.ts";
import { renderEnding, renderVerdict } from "./verdict.ts";

const mostFailures = 5;
const mostSteps = 40;

/** The report of `harness converge` on the terminal: verdict, kill or pass table, coverage, counterexamples. */
export function renderConvergeTerminal(result: ConvergeResult, { colour, width, folder }: TerminalOptions): string {
  const paint = createPaint(colour);
  const room = Math.max(40, Math.min(width, 120));
  const failures = counterexamplesOf(
    result.crdts.filter(({ mutant }) => mutant === undefined || result.crdts.length === 1),
  );
  const left = failures.length - mostFailures;
  const sections = [
    renderVerdict(result, convergeSetting(result), paint, room),
    table(result, paint),
    [...priceSentences(result), ...exhaustiveSentences(result)]
      .map((sentence) => paragraph(sentence, room, "  ", ""))
      .join("\n"),
    coverage(result, paint, room),
    ...failures.slice(0, mostFailures).map(({ crdt, failure }) => renderFailure(crdt, failure, paint, room)),
    left > 0 ? `${formatNumber(left)} more counterexamples are in the report.` : "",
    result.warnings.map((warning) => paragraph(`Warning: ${visible(warning, 600)}`, room, "  ", "")).join("\n"),
    renderEnding(result.replay, folder, paint),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function table({ crdts }: ConvergeResult, paint: Paint): string {
  const mutants = crdts.some(({ mutant }) => mutant !== undefined);
  const head = mutants
    ? ["data type", "verdict", "oracle", "schedules", "events after shrinking"]
    : ["data type", "verdict", "schedules", "events", "schedules/s", "found"];
  const rows = crdts.map((crdt) => {
    const verdict = crdtVerdict(crdt);
    const shown = paint.tone(verdict === "held" || verdict === "killed" ? "good" : "bad", verdict);
    const { mutant, name, schedules, events, schedulesPerSecond } = crdt;
    return mutants
      ? [
          visible(name, 40),
          shown,
          visible(mutant?.oracle ?? nothing, 40),
          formatNumber(mutant?.schedulesUntilFound ?? schedules),
          formatNumber(mutant?.shrunkTo),
        ]
      : [
          visible(name, 40),
          shown,
          formatNumber(schedules),
          formatNumber(events),
          formatNumber(schedulesPerSecond),
          oraclesOf(crdt, 3),
        ];
  });
  return renderColumns(head, rows, mutants ? "lllrr" : "llrrrl", paint);
}

function coverage(result: ConvergeResult, paint: Paint, width: number): string {
  const missing = neverMet(result).map((sentence) => paragraph(sentence, width, "  ", ""));
  const single = result.crdts.length === 1 ? result.crdts[0] : undefined;
  const counted = single === undefined ? "" : counters(single, paint, width);
  return [counted, ...missing].filter((part) => part !== "").join("\n\n");
}

function counters({ histogram, sometimes, elapsedMs }: ConvergeCrdt, paint: Paint, width: number): string {
  const kinds = Object.entries(histogram).map(([kind, count]) => `${visible(kind, 40)} ${formatNumber(count)}`);
  const met = Object.entries(sometimes).map(([what, count]) => [
    count === 0 ? paint.tone("bad", "never") : formatNumber(count),
    visible(what, 100),
  ]);
  // A counterexample that was run again counts nothing.
  return [
    kinds.length === 0 ? "" : paragraph(`Events in ${formatDuration(elapsedMs)}: ${kinds.join(", ")}`, width, "  ", ""),
    met.length === 0 ? "" : renderColumns(["times", "that"], met, "rl", paint),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** A counterexample as steps beside the lines of its regions, then what was expected and how to see it again. */
export function renderFailure(crdt: ConvergeCrdt, failure: ConvergeFailure, paint: Paint, width: number): string {
  const { oracle, seed, index, steps, expected, actual, region, replay } = failure;
  const ids = crdt.regionIds.map((id) => visible(id, 8));
  const laneWidth = Math.max(4, ...ids.map(columns)) + 2;
  const shown = steps.slice(0, mostSteps);
  const where = ids[region] ?? "the end";
  const indent = 5 + ids.length * laneWidth + 1;
  const lines = shown.map((step, number) => {
    const lanes = ids.map((_, lane) =>
      padEnd(
        lane === step.region ? (number === failure.failedAt ? paint.tone("bad", "✗") : "●") : paint.quiet("│"),
        laneWidth,
      ),
    );
    const facts = [
      visible(step.text, 200),
      step.refused === undefined ? "" : `refused: ${visible(step.refused, 60)}`,
      clockLabel(step),
    ];
    const text = facts.filter((fact) => fact !== "").join("  ");
    return paragraph(text, width, " ".repeat(indent), `${String(number + 1).padStart(4)} ${lanes.join("")} `);
  });
  return [
    `${paint.tone("bad", "✗")} ${paint.strong(`${visible(crdt.name, 60)}: ${visible(oracle, 40)}`)}  schedule ${formatNumber(index)} of seed ${seed}, ${shrunkText(failure)}`,
    `     ${ids.map((id) => padEnd(id, laneWidth)).join("")}`,
    ...lines,
    ...(steps.length > shown.length
      ? [paint.quiet(`     ... ${formatNumber(steps.length - shown.length)} more steps in the report`)]
      : []),
    paragraph(`Expected at ${where}: ${visible(expected, 400)}`, width, "    ", "  "),
    paragraph(`Shown at ${where}:    ${visible(actual, 400)}`, width, "    ", "  "),
    `  Again: ${paint.link(visible(replay, 500))}`,
  ].join("\n");
}
