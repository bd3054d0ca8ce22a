import type { ConvergeCrdt, ConvergeFailure, ConvergeResult } from "../../harness/results/converge-schema.ts";
import {
  convergeSetting,
  counterexamplesOf,
  crdtVerdict,
  exhaustiveSentences,
  neverMet,
  oraclesOf,
  priceSentences,
} from "../converge/summary.ts";
import { visible } from "../escape.ts";
import { formatNumber, nothing } from "../format.ts";
import { renderFailure } from "../terminal/converge.ts";
import { createPaint } from "../terminal/paint.ts";
import { codeBlock, inline, markdownTable, sentencesList } from "./table.ts";
import { markdownVerdict } from "./verdict.ts";

const mostFailures = 5;

/** The report of convergence fuzzing as GitHub-flavoured Markdown. */
export function renderConvergeMarkdown(result: ConvergeResult): string {
  const failures = counterexamplesOf(result.crdts.filter(({ mutant }) => mutant === undefined));
  const left = failures.length - mostFailures;
  const sections = [
    ...markdownVerdict(result),
    `<sub>${inline(convergeSetting(result))}</sub>`,
    table(result.crdts),
    sentencesList([
      ...priceSentences(result),
      ...exhaustiveSentences(result),
      ...neverMet(result),
      ...result.warnings.map((warning) => `Warning: ${visible(warning, 600)}`),
    ]),
    ...failures.slice(0, mostFailures).map(({ crdt, failure }) => counterexample(crdt, failure)),
    left > 0 ? `${formatNumber(left)} more counterexamples are in the report.` : "",
    `Run it again:\n\n${codeBlock(visible(result.replay, 2000), "sh")}`,
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function table(crdts: readonly ConvergeCrdt[]): string {
  const sign = { held: "✅", killed: "✅", broke: "❌", survived: "❌" };
  return markdownTable(
    ["data type", "verdict", "oracle", "schedules", "schedules/s"],
    crdts.map((crdt) => {
      const verdict = crdtVerdict(crdt);
      const oracle = crdt.mutant === undefined ? oraclesOf(crdt) : (crdt.mutant.oracle ?? nothing);
      return [
        inline(crdt.name, 60),
        `${sign[verdict]} ${verdict}`,
        inline(oracle),
        formatNumber(crdt.mutant?.schedulesUntilFound ?? crdt.schedules),
        formatNumber(crdt.schedulesPerSecond),
      ];
    }),
    3,
  );
}

function counterexample(crdt: ConvergeCrdt, failure: ConvergeFailure): string {
  const text = renderFailure(crdt, failure, createPaint(false), 120);
  return `<details><summary>Counterexample: ${inline(crdt.name, 60)}, ${inline(failure.oracle, 60)}</summary>\n\n${codeBlock(text)}\n\n</details>`;
}
