import type { Status } from "../../harness/results/common-schema.ts";
import { enumerate, formatDuration, plural } from "../format.ts";
import type { AnyResult } from "../result.ts";
import { spokenVerdict } from "../verdict.ts";
import { disclosure } from "./components/parts.ts";
import { verdictBanner } from "./components/verdict.ts";
import { html, type Markup, name, trusted } from "./markup.ts";
import { heading, renderPage } from "./page.ts";

/** A result with its own page, as the HTML reporter made it. */
export interface BundledReport {
  result: AnyResult;
  page: string;
}

/** Several reports as one file: the verdict of all, a table, and every report whole, to be opened below. */
export function renderBundleHtml(reports: readonly BundledReport[]): string {
  const results = reports.map(({ result }) => result);
  const [first] = results;
  const status = gravest(results.map((result) => result.status));
  const worst = results.find((result) => result.status === status && status !== "passed");
  // Several reports open at once would hide one another.
  const only = results.filter((result) => result.status === "failed").length === 1;
  return renderPage({
    title: `${status}: ${plural(reports.length, "report")}`,
    kind: "reports",
    id: name(first?.id ?? ""),
    startedAt: name(first?.startedAt ?? ""),
    version: name(first?.tool.version ?? ""),
    verdict: verdictBanner({
      status,
      word: undefined,
      headline: headlineOf(results),
      reason: worst === undefined ? "Nothing was found." : `${worst.kind}: ${spokenVerdict(worst).headline}`,
      setting: `${plural(reports.length, "report")}, ${formatDuration(results.reduce((sum, { durationMs }) => sum + durationMs, 0))} of runs in all.`,
      figures: [],
    }),
    sections: [
      {
        id: "reports",
        title: "Reports",
        content: html`${heading("reports", "Reports")}${reports.map((report, index) => row(report, index, only))}`,
      },
    ],
  });
}

const gravity: readonly Status[] = ["failed", "interrupted", "unknown", "passed"];

function gravest(list: readonly Status[]): Status {
  return gravity.find((status) => list.includes(status)) ?? "passed";
}

function headlineOf(results: readonly AnyResult[]): string {
  const of = (status: Status) => results.filter((result) => result.status === status).length;
  const said = gravity.filter((status) => of(status) > 0).map((status) => `${of(status)} ${status}`);
  return of("passed") === results.length
    ? `All ${results.length} passed.`
    : `${plural(results.length, "report")}: ${enumerate(said)}.`;
}

/** What was run, in a few words. */
function subjectOf(result: AnyResult): string {
  if (result.kind !== "compare")
    return `${result.kind}: ${name(result.replay.replace(/^(npx )?harness \w+ ?/, "") || "defaults", 120)}`;
  return `compare, ${result.of}: ${name(result.base.label, 60)} against ${name(result.head.label, 60)}`;
}

function row({ result, page }: BundledReport, index: number, openFailed: boolean): Markup {
  const { status } = result;
  const verdict =
    spokenVerdict(result).word ?? (result.kind === "compare" && status === "passed" ? result.verdict : status);
  const tone = { passed: "good", improved: "good", unchanged: "good", failed: "bad", inconclusive: "quiet" }[
    verdict as string
  ];
  const summary = html`<span class="word ${tone ?? ""}">${verdict}</span> <strong>${subjectOf(result)}</strong><br><span class="small">${headlineIn(page)}</span>`;
  return html`<div class="bundled" id="report-${index + 1}">${disclosure(summary, within(page, `r${index + 1}-`), openFailed && status === "failed")}</div>`;
}

// The pages are this product's own: what came from outside is escaped in them, quotes included, so that these patterns
// meet markup alone.
function headlineIn(page: string): Markup {
  return trusted(/<h1>(.*?)<\/h1>/s.exec(page)?.[1] ?? "");
}

/** The contents of a page, its names made its own, so that several can stand in one document. */
function within(page: string, prefix: string): Markup {
  const main = /<main class="wrap">(.*)<\/main>/s.exec(page)?.[1] ?? "";
  return trusted(
    main
      .replace(/ (id|aria-labelledby|aria-describedby|data-rows)="([^"]*)"/g, ` $1="${prefix}$2"`)
      .replace(/ href="#([^"]*)"/g, ` href="#${prefix}$1"`)
      .replace(/<(\/?)h1>/g, (_, slash) => (slash === "/" ? "</h2>" : '<h2 class="headline">')),
  );
}
