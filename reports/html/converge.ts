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
import { formatDuration, formatInstant, formatNumber, nothing, plural } from "../format.ts";
import { spokenVerdict } from "../verdict.ts";
import { countBars } from "./charts/counts.ts";
import { spaceTime } from "./charts/space-time.ts";
import { command, dataTable, disclosure, sentences, warnings } from "./components/parts.ts";
import { runFacts } from "./components/run-facts.ts";
import { type KeyFigure, verdictBanner } from "./components/verdict.ts";
import { html, type Markup, name } from "./markup.ts";
import { heading, type PageSection, renderPage } from "./page.ts";

const mostFailures = 80;
const mostCharts = 6;

/** The report of convergence fuzzing: one self-contained HTML document. */
export function renderConvergeHtml(result: ConvergeResult): string {
  const verdict = spokenVerdict(result);
  return renderPage({
    title: `${verdict.word ?? result.status}: ${verdict.headline.slice(0, 120)}`,
    kind: "convergence report",
    id: name(result.id),
    startedAt: name(result.startedAt),
    version: name(result.tool.version),
    verdict: html`${verdictBanner({
      status: result.status,
      ...verdict,
      setting: `${convergeSetting(result)} ${formatInstant(result.startedAt)}.`,
      figures: keyFigures(result),
    })}${warnings(result.warnings)}`,
    sections: convergeSections(result),
  });
}

function convergeSections(result: ConvergeResult): PageSection[] {
  return [
    { id: "types", title: "Data types", content: tableSection(result) },
    { id: "counterexamples", title: "Counterexamples", content: failuresSection(result) },
    { id: "coverage", title: "Coverage", content: coverageSection(result) },
    { id: "plan", title: "Plan", content: html`${heading("plan", "Plan, machine and command")}${runFacts(result)}` },
  ];
}

function keyFigures({ crdts }: ConvergeResult): KeyFigure[] {
  const mutants = crdts.filter(({ mutant }) => mutant !== undefined);
  const schedules = crdts.reduce((sum, crdt) => sum + crdt.schedules, 0);
  const events = crdts.reduce((sum, crdt) => sum + crdt.events, 0);
  const fastest = Math.max(0, ...crdts.map(({ schedulesPerSecond }) => schedulesPerSecond));
  const figures: KeyFigure[] = [];
  if (mutants.length > 0) {
    const killed = mutants.filter((crdt) => crdtVerdict(crdt) === "killed").length;
    figures.push({
      label: "broken implementations found out",
      figure: `${killed} of ${mutants.length}`,
      tone: killed === mutants.length ? "good" : "bad",
    });
  } else {
    const broke = crdts.filter((crdt) => crdtVerdict(crdt) === "broke").length;
    figures.push({
      label: "data types that broke",
      figure: `${broke} of ${crdts.length}`,
      tone: broke > 0 ? "bad" : "good",
    });
  }
  figures.push({ label: `schedules, of ${formatNumber(events)} events`, figure: formatNumber(schedules) });
  if (fastest > 0)
    figures.push({
      label: crdts.length > 1 ? "schedules a second, the fastest" : "schedules a second",
      figure: formatNumber(fastest),
    });
  return figures;
}

function tableSection(result: ConvergeResult): Markup {
  const { crdts } = result;
  const mutants = crdts.filter(({ mutant }) => mutant !== undefined);
  const others = crdts.filter(({ mutant }) => mutant === undefined);
  return html`${heading("types", mutants.length > 0 ? "What was found out" : "Data types")}${others.length > 0 && passTable(others)}${sentences(priceSentences(result))}${mutants.length > 0 && killTable(mutants)}`;
}

function passTable(crdts: readonly ConvergeCrdt[]): Markup {
  const found = crdts.some((crdt) => oraclesOf(crdt) !== "");
  const columns = ["Data type", "Verdict", ...(found ? ["Found"] : []), "Schedules", "Events", "Schedules/s", "Time"];
  return dataTable(
    "Data types",
    columns.map((head, index) => ({ head, numeric: index >= (found ? 3 : 2), text: head === "Found" })),
    crdts.map((crdt) => [
      name(crdt.name),
      verdictWord(crdt),
      ...(found ? [oraclesOf(crdt)] : []),
      formatNumber(crdt.schedules),
      formatNumber(crdt.events),
      formatNumber(crdt.schedulesPerSecond),
      formatDuration(crdt.elapsedMs),
    ]),
    false,
  );
}

function killTable(mutants: readonly ConvergeCrdt[]): Markup {
  const columns = [
    "Broken on purpose",
    "Verdict",
    "The wrong thought",
    "Oracle",
    "Schedules until found",
    "Shrunk to",
  ].map((head, index) => ({ head, numeric: index > 3, text: index === 2 }));
  return dataTable(
    "Broken implementations",
    columns,
    mutants.map((crdt) => {
      const { mutant, failures } = crdt;
      const row = failures[0] === undefined ? name(crdt.name) : html`<a href="#${anchor(crdt)}">${name(crdt.name)}</a>`;
      const missed =
        mutant?.killed === false &&
        html` <span class="quiet">(should be ${(mutant.caughtBy ?? []).map((oracle) => name(oracle)).join(" or ")})</span>`;
      return [
        row,
        verdictWord(crdt),
        name(mutant?.wrongThought ?? "", 300),
        html`${name(mutant?.oracle ?? nothing)}${missed}`,
        formatNumber(mutant?.schedulesUntilFound),
        mutant?.shrunkTo == null ? nothing : plural(mutant.shrunkTo, "event"),
      ];
    }),
    false,
  );
}

function verdictWord(crdt: ConvergeCrdt): Markup {
  const verdict = crdtVerdict(crdt);
  const good = verdict === "held" || verdict === "killed";
  return html`<span class="word ${good ? "good" : "bad"}">${good ? "✓" : "✗"} ${verdict}</span>`;
}

function failuresSection({ crdts }: ConvergeResult): Markup {
  const all = counterexamplesOf(crdts);
  if (all.length === 0) return html``;
  const left = all.length - mostFailures;
  const seen = new Set<string>();
  const isFirst = (key: string) => !seen.has(key) && seen.add(key) !== undefined;
  const items = all.slice(0, mostFailures).map(({ crdt, failure }, index) => {
    const id = isFirst(crdt.name) ? anchor(crdt) : `counterexample-${index + 1}`;
    const firstOfOracle = isFirst(`${crdt.name}\n${failure.oracle}`);
    return { firstOfOracle, item: counterexample(crdt, failure, id, index < (all.length > 10 ? 1 : 3)) };
  });
  const first = items.filter(({ firstOfOracle }) => firstOfOracle).map(({ item }) => item);
  const others = items.filter(({ firstOfOracle }) => !firstOfOracle).map(({ item }) => item);
  const more =
    others.length > 0 &&
    html`<div class="on-screen">${disclosure(`${formatNumber(others.length)} more counterexamples by the same oracles`, html`${others}`)}</div><p class="small quiet on-paper">${formatNumber(others.length)} more counterexamples by the same oracles are in the file.</p>`;
  return html`${heading("counterexamples", "Counterexamples", "Shrunk until every event is needed, the first by each oracle. Time runs downwards; the faulty state is marked.")}${first}${more}${left > 0 && html`<p class="quiet">${formatNumber(left)} more are in result.json.</p>`}`;
}

function counterexample(crdt: ConvergeCrdt, failure: ConvergeFailure, id: string, open: boolean): Markup {
  const { oracle, seed, index, expected, actual, region, values = [], replay } = failure;
  const where = crdt.regionIds[region] ?? "the end";
  const states =
    values.length === 0
      ? ""
      : html`<h4>What every region shows ${failure.failedAt < failure.steps.length ? `after step ${failure.failedAt + 1}` : "at the end"}</h4>${dataTable(
          "What every region shows",
          [{ head: "Region" }, { head: "Shows" }],
          values.map((value, at) => [
            name(crdt.regionIds[at] ?? String(at)),
            html`<code${at === region && html` class="bad"`}>${name(value, 600)}</code>`,
          ]),
        )}`;
  const content = html`${spaceTime(failure, crdt.regionIds)}
<dl class="versus"><div><dt>Expected at ${name(where)}</dt><dd><code>${name(expected, 600)}</code></dd></div><div class="bad"><dt>Shown at ${name(where)}</dt><dd><code>${name(actual, 600)}</code></dd></div></dl>
${states}${stepTable(crdt, failure)}${command(replay)}`;
  return html`<article class="finding" id="${id}" aria-labelledby="${id}-title"><h3 id="${id}-title">${name(crdt.name)}: ${name(oracle)}</h3><p class="who">schedule ${formatNumber(index)} of seed ${seed}, ${shrunkText(failure)}</p>${open ? content : html`<p class="small">Expected at ${name(where)}: <code>${name(expected, 120)}</code>. Shown: <code class="bad">${name(actual, 120)}</code>.</p>${disclosure("Step by step", content)}`}</article>`;
}

function stepTable(crdt: ConvergeCrdt, { steps, failedAt }: ConvergeFailure): Markup {
  const clocks = steps.some((step) => clockLabel(step) !== "");
  const rows = steps
    .slice(0, 100)
    .map((step, index) => [
      String(index + 1),
      name(crdt.regionIds[step.region] ?? String(step.region)),
      html`${name(step.text, 300)}${step.refused !== undefined && html` <span class="quiet">refused: ${name(step.refused)}</span>`}${index === failedAt && html` <strong class="bad">← here</strong>`}`,
      ...(clocks ? [clockLabel(step)] : []),
      step.value === undefined ? "" : html`<code>${name(step.value, 400)}</code>`,
    ]);
  return disclosure(
    `Every step, with ${clocks ? "clocks and " : ""}states (${steps.length})`,
    dataTable(
      "Every step",
      [
        { head: "Step" },
        { head: "Region" },
        { head: "What happens", text: true },
        ...(clocks ? [{ head: "Clock" }] : []),
        { head: "Shows then" },
      ],
      rows,
    ),
    true,
  );
}

function coverageSection(result: ConvergeResult): Markup {
  const shown = result.crdts.filter(({ mutant }) => mutant === undefined);
  const crdts =
    shown.length > 0
      ? shown
      : [{ name: "All together", sometimes: summed(result, "sometimes"), histogram: summed(result, "histogram") }];
  const charts = crdts.slice(0, mostCharts).map((crdt, index) => {
    const met = countBars(
      `sometimes-${index}`,
      `${name(crdt.name)}: situations met`,
      "A pass says nothing about what never happened.",
      Object.entries(crdt.sometimes),
    );
    const kinds = countBars(
      `kinds-${index}`,
      `${name(crdt.name)}: events by kind`,
      "What the schedules were made of. “Nothing to do” are events that met nothing, such as a delivery without a message.",
      Object.entries(crdt.histogram).map(([kind, count]) => [kindWords[kind] ?? kind, count] as const),
    );
    return index === 0 ? html`${met}${kinds}` : disclosure(`Coverage of ${name(crdt.name)}`, html`${met}${kinds}`);
  });
  const left = crdts.length - mostCharts;
  return html`${heading("coverage", "Coverage", "What the schedules contained.")}${sentences([...exhaustiveSentences(result), ...neverMet(result)])}${charts}${left > 0 && html`<p class="quiet">The coverage of ${left} more data types is in result.json.</p>`}${result.oracles.length > 0 && html`<p class="small quiet">Oracles: ${result.oracles.map((oracle) => name(oracle)).join(", ")}.</p>`}`;
}

const kindWords: Readonly<Record<string, string>> = {
  operation: "an operation of the data type",
  clock: "a step of a wall clock",
  send: "a message sent",
  deliver: "a message delivered",
  again: "a message delivered again, or late",
  lose: "a message lost",
  cut: "a link broken",
  heal: "a link healed",
  restart: "a restart from what was saved",
  amnesia: "a loss of everything",
  collect: "a collection of garbage",
  forward: "a message passed on by a third region",
};

function summed({ crdts }: ConvergeResult, counts: "sometimes" | "histogram"): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const crdt of crdts)
    for (const [what, count] of Object.entries(crdt[counts])) sums[what] = (sums[what] ?? 0) + count;
  return sums;
}

function anchor({ name: crdt }: ConvergeCrdt): string {
  return `counterexample-${crdt.replace(/[^a-zA-Z0-9-]+/g, "-").slice(0, 60)}`;
}
