import type { ArmResult, LockResult } from "../../harness/results/lock-schema.ts";
import { article } from "../article.ts";
import { faultsNear } from "../evidence/faults-near.ts";
import {
  formatChange,
  formatDuration,
  formatInstant,
  formatLength,
  formatMs,
  formatNumber,
  formatShare,
  plural,
} from "../format.ts";
import { armTitle, isLiteral, lockArms, mainControl } from "../lock/arms.ts";
import { adviceSentences, boundsSentences, footnotes, isIncident, removedSentences } from "../lock/sentences.ts";
import { comparisonTable } from "../lock/table.ts";
import { targetText } from "../lock/targets.ts";
import { spokenVerdict } from "../verdict.ts";
import { duplicatesOverTime, latencyOverTime, type TimedArm, throughputOverTime } from "./charts/over-time.ts";
import { percentileSpectrum, type SpectrumSeries } from "./charts/percentile-spectrum.ts";
import { lanesLegend } from "./charts/worker-lanes.ts";
import { findingList } from "./components/findings.ts";
import { dataTable, disclosure, scrolling, sentences, warnings } from "./components/parts.ts";
import { runFacts } from "./components/run-facts.ts";
import { type KeyFigure, verdictBanner } from "./components/verdict.ts";
import { html, type Markup, name, unbroken } from "./markup.ts";
import { heading, type PageSection, renderPage } from "./page.ts";
import type { SeriesName } from "./style/tokens.ts";

const mostArms = 8;

/** The report of a lock experiment: one self-contained HTML document. */
export function renderLockHtml(result: LockResult): string {
  const verdict = spokenVerdict(result);
  return renderPage({
    title: `${verdict.word ?? result.status}: ${verdict.headline.slice(0, 120)}`,
    kind: "lock report",
    id: name(result.id),
    startedAt: name(result.startedAt),
    version: name(result.tool.version),
    verdict: html`${verdictBanner({
      status: result.status,
      ...verdict,
      setting: setting(result),
      figures: keyFigures(result),
    })}${warnings(result.warnings)}`,
    sections: lockSections(result),
  });
}

/** The sections alone, for pages that put two results side by side. */
function lockSections(result: LockResult): PageSection[] {
  const arms = timedArms(result);
  return [
    { id: "table", title: "Without and with", content: tableSection(result) },
    { id: "findings", title: "Findings", content: findingsSection(result) },
    { id: "latency", title: "Latency", content: latencySection(arms) },
    { id: "time", title: "Over time", content: timeSection(result, arms) },
    { id: "advice", title: "Advice", content: adviceSection(result) },
    { id: "plan", title: "Plan", content: planSection(result) },
  ];
}

function setting({ arms, plan, seed, durationMs, startedAt }: LockResult): string {
  const faults = plan.profile === null ? "faults of its own" : `faults ${name(plan.profile)}`;
  return `${plural(arms.length, "arm")}, ${plural(plan.rounds, "round")} of ${formatDuration(plan.roundMs)} each, ${faults}, seed ${seed}. ${formatInstant(startedAt)}, ${formatLength(durationMs)}.`;
}

function keyFigures(result: LockResult): KeyFigure[] {
  const control = mainControl(result);
  const lock = worstLock(result);
  const figures: KeyFigure[] = [];
  if (lock === undefined) return figures;
  if (lock.cyclesPerSecond !== null) {
    figures.push({
      label: `${name(lock.name)}: acquire and release, cycles a second`,
      figure: formatNumber(lock.cyclesPerSecond),
    });
  }
  if (control !== undefined && isIncident(result)) {
    const most = [control, lock].map(({ jobs }) => formatNumber(jobs.maxExecutionsOfOneJob));
    figures.push({
      label: `runs of one job at the most, no lock → ${name(lock.name)}`,
      figure: [most[0] ?? "", most[1] ?? ""],
      beside: "the incident: 3 of 5 workers got one job",
      tone: lock.jobs.maxExecutionsOfOneJob > 1 ? "bad" : "good",
    });
  }
  if (control !== undefined && control.jobs.offered > 0) {
    figures.push({
      label: `jobs executed twice or more, no lock → ${name(lock.name)}`,
      figure: [
        formatShare(control.jobs.duplicateRate),
        lock.jobs.duplicated === 0 ? "0" : formatShare(lock.jobs.duplicateRate),
      ],
      beside: `the article: ${formatShare(article.without.duplicateRate)} → 0`,
      tone: lock.jobs.duplicated > lock.jobs.inherentDuplicates ? "bad" : "good",
    });
  }
  const quiet = lock.acquireOutsideFaults.count > 0 ? lock.acquireOutsideFaults : lock.acquire;
  const where = result.faults.length > 0 && quiet !== lock.acquire ? ", outside pauses and stops" : "";
  figures.push({
    label: `to acquire, P50 and P99${where}`,
    figure: `${formatMs(quiet.p50Ms)} / ${formatMs(quiet.p99Ms)}`,
    beside: `the article: ~${article.with.acquireP50Ms} / ~${article.with.acquireP99Ms} ms`,
  });
  if (control !== undefined && control.throughputPerMin > 0) {
    figures.push({
      label: `throughput, ${formatNumber(control.throughputPerMin)} → ${formatNumber(lock.throughputPerMin)} jobs/min`,
      figure: formatChange(lock.throughputPerMin / control.throughputPerMin - 1),
      beside: "the article: −1.7 %",
    });
  }
  return figures;
}

/** The arm that the figures of the banner speak of: the one that did worst, else the first. */
function worstLock(result: LockResult): ArmResult | undefined {
  return lockArms(result).toSorted((a, b) => b.jobs.duplicateRate - a.jobs.duplicateRate)[0];
}

function tableSection(result: LockResult): Markup {
  const { columns, rows } = comparisonTable(result);
  const head = html`<tr><th scope="col">Measure</th>${columns.map(({ role, name: arm }) => html`<th scope="col" class="num"><small>${role}</small>${arm}</th>`)}<th scope="col" class="num quoted"><small>the article</small>without → with</th></tr>`;
  const body = rows.map(
    ({ label, hint, part, key, cells, article: quoted }) =>
      html`<tr${part === true ? html` class="part"` : key === true && html` class="key"`}><th scope="row">${label}${hint !== undefined && html`<small>${hint}</small>`}</th>${cells.map(({ text, tone }) => html`<td class="num ${tone}">${unbroken(text)}</td>`)}<td class="num quoted">${unbroken(quoted)}</td></tr>`,
  );
  return html`${heading("table", "Without and with the lock", "The same jobs, arrivals and faults in every arm; the article’s figures beside.")}
${scrolling("Without and with the lock", html`<table class="wide-first sticky"><thead>${head}</thead><tbody>${body}</tbody></table>`)}
${sentences([...removedSentences(result), ...boundsSentences(result)])}<div class="small quiet">${footnotes(result).map((note) => html`<p>${note}</p>`)}</div>${roundsTable(result)}`;
}

function roundsTable({ arms }: LockResult): Markup {
  const rows = arms.flatMap((arm) =>
    arm.rounds.map((round) => [
      `${armTitle(arm).name}, round ${round.round}`,
      formatNumber(round.jobs.offered),
      formatNumber(round.jobs.duplicated),
      formatNumber(round.jobs.concurrentDuplicates),
      formatNumber(round.jobs.lost),
      formatMs(round.acquire.p50Ms),
      formatMs(round.acquire.p99Ms),
      formatMs(round.response.p99Ms),
      formatNumber(round.throughputPerMin),
      formatMs(round.starts.lateP99Ms),
    ]),
  );
  const heads = [
    "Arm and round",
    "Jobs",
    "Twice or more",
    "at once",
    "Lost",
    "Acquire P50",
    "P99",
    "Response P99",
    "Jobs/min",
    "Starts late, P99",
  ];
  return disclosure(
    "Every round",
    dataTable(
      "Every round",
      heads.map((head, index) => ({ head, numeric: index > 0 })),
      rows.slice(0, 400),
    ),
  );
}

function findingsSection(result: LockResult): Markup {
  if (result.findings.length === 0) {
    return html`${heading("findings", "Findings", "None. Duplicates of an arm without a lock are what the lock is measured against, not findings.")}`;
  }
  return html`${heading("findings", "Findings", "Each with the smallest part of the recorded history that proves it.")}${lanesLegend()}${findingList(result.findings, (finding) => faultsNear(result, finding))}`;
}

function latencySection(arms: readonly TimedArm[]): Markup {
  const series = (
    pick: (arm: ArmResult) => SpectrumSeries["latency"],
    only: (arm: ArmResult) => boolean = () => true,
  ) =>
    arms
      .filter(({ arm }) => only(arm))
      .map(({ arm, label, series: name }) => ({ label, series: name, latency: pick(arm) }));
  const isLock = (arm: ArmResult) => arm.role === "lock";
  const charts = [
    percentileSpectrum(
      { id: "acquire", title: "Time to acquire", width: 500, note: "Over everything, pauses and stops included." },
      series(({ acquire }) => acquire, isLock),
    ),
    percentileSpectrum(
      {
        id: "acquire-outside",
        title: "Time to acquire, outside pauses and stops",
        width: 500,
        note: "The pair to hold against the article’s P50 and P99.",
      },
      series(({ acquireOutsideFaults }) => acquireOutsideFaults, isLock),
    ),
    percentileSpectrum(
      {
        id: "response",
        title: "Response time",
        width: 500,
        note: "From the planned arrival of a job to its acknowledgement.",
      },
      series(({ response }) => response),
    ),
    percentileSpectrum(
      { id: "service", title: "Service time", width: 500, note: "From the delivery of a job to its acknowledgement." },
      series(({ service }) => service),
    ),
  ];
  if (charts.every(({ text }) => text === "")) return html``;
  return html`${heading("latency", "Latency by percentile", "Each step to the right is ten times rarer; the rare and slow ones take as much room as the many.")}<div class="pair">${charts}</div>`;
}

function timeSection({ faults, plan }: LockResult, arms: readonly TimedArm[]): Markup {
  const charts = [
    duplicatesOverTime(arms, faults, plan.roundMs),
    latencyOverTime(
      arms.filter(({ arm }) => arm.role === "lock"),
      faults,
      plan.roundMs,
    ),
    throughputOverTime(arms, faults, plan.roundMs),
  ];
  if (charts.every(({ text }) => text === "")) return html``;
  return html`${heading("time", "Over time", "The rounds side by side, each from the start of its load. Shaded: faults in force, as they happened. Dashed: the end of the load; after it what is left is worked off.")}${charts}`;
}

function timedArms({ arms }: LockResult): TimedArm[] {
  let locks = 0;
  return arms.slice(0, mostArms).map((arm) => {
    const series: SeriesName =
      arm.role === "lock" ? (`s${(locks++ % 6) + 1}` as SeriesName) : isLiteral(arm) ? "s-literal" : "s-control";
    const { role, name: armName } = armTitle(arm);
    return { arm, series, label: arm.role === "lock" ? armName : `${armName} (${role})` };
  });
}

function adviceSection(result: LockResult): Markup {
  const advice = adviceSentences(result);
  if (advice.length === 0) return html``;
  return html`${heading("advice", "Advice", "Computed from what this run measured.")}${sentences(advice.map(({ topic, text }) => html`<strong>${topic}.</strong> ${text}`))}`;
}

function planSection(result: LockResult): Markup {
  const { plan, topology, faults } = result;
  return html`${heading("plan", "Plan, machine and command")}${runFacts(result, [
    ["Topology", `${topology}${result.config.queueOn === "own" ? "; the queue on a server of its own" : ""}`],
    ["Plan", html`<code>${name(plan.file)}</code>, SHA-256 <code>${name(plan.sha256.slice(0, 16))}…</code>`],
  ])}<p class="small quiet">The seed fixes arrivals, job times, keys and faults; how the operating system schedules processes, nobody fixes.</p>${
    plan.faultsText !== "" &&
    html`<h3>Faults, as planned</h3><pre class="scroll pad" tabindex="0">${plan.faultsText
      .split("\n")
      .slice(0, 60)
      .map((line) => html`${name(line, 1000)}\n`)}</pre>`
  }${faultTable(faults)}`;
}

function faultTable(faults: LockResult["faults"]): Markup {
  if (faults.length === 0) return html``;
  const shown = faults.slice(0, 200);
  const rows = shown.map((fault) => [
    name(fault.name),
    `${name(fault.arm)}, round ${fault.round}`,
    targetText(name(fault.target, 2000)),
    Object.entries(fault.params)
      .map(([key, value]) => `${name(key)} ${name(String(value))}`)
      .join(", "),
    fault.plannedAtMs === null ? "on an event" : formatDuration(fault.plannedAtMs),
    formatDuration(fault.injectedAtMs),
    formatDuration(fault.healedAtMs),
    fault.error === undefined ? "" : name(fault.error, 300),
  ]);
  const heads = ["Fault", "Arm", "Target", "Parameters", "Planned", "Injected", "Healed", "Error"];
  const columns = heads.map((head) => ({ head, numeric: /ed$/.test(head) }));
  const left = faults.length - shown.length;
  return disclosure(
    `Every fault, as it happened (${formatNumber(faults.length)})`,
    html`${dataTable("Every fault, as it happened", columns, rows)}${left > 0 && html`<p class="small quiet">${formatNumber(left)} more are in result.json.</p>`}`,
    faults.some(({ error }) => error !== undefined),
  );
}
