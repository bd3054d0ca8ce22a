import type { ComparedMetric, ComparedSide, CompareResult, Difference } from "../../harness/results/compare-schema.ts";
import type { LockResult } from "../../harness/results/lock-schema.ts";
import { plural } from "../format.ts";
import type { RunResult } from "../result.ts";
import { brokenAndNotRun, compareCorrectness } from "./correctness.ts";
import { differencesOf } from "./differences.ts";
import { judgeMetrics, type MetricPair } from "./judge.ts";
import type { CompareOptions } from "./options.ts";
import { comparedArms, seriesOf } from "./series.ts";
import { conclude } from "./verdict.ts";

/** What the command adds to what the comparison knows itself. */
export type CompareMeta = Pick<
  CompareResult,
  "id" | "startedAt" | "durationMs" | "argv" | "config" | "replay" | "tool" | "environment"
> & {
  labels: { base: string; head: string };
  warnings?: readonly string[];
};

/**
 * Compares two results of one kind. Whether they may be compared is for the caller to decide, by `refusal(differences)`
 * of the result; results of two kinds are a TypeError.
 */
export function compareResults(
  base: RunResult,
  head: RunResult,
  options: CompareOptions,
  meta: CompareMeta,
): CompareResult {
  if (base.kind !== head.kind)
    throw new TypeError(`A ${base.kind} result cannot be compared with a ${head.kind} result.`);
  const { labels, warnings = [], ...envelope } = meta;
  const differences = differencesOf(base, head);
  const { metrics, rounds } = judgeMetrics(pairsOf(base, head), options);
  const correctness = compareCorrectness(base, head);
  const conclusion = conclude({ metrics, correctness, rounds, base, head }, options);
  return {
    schema: "harness.result/1",
    kind: "compare",
    ...envelope,
    seed: head.seed,
    ...conclusion,
    findings: appearedFindings(base, head),
    of: head.kind,
    base: sideOf(base, labels.base),
    head: sideOf(head, labels.head),
    comparable: options.paired || !differences.some(({ blocking }) => blocking),
    differences: options.paired ? differences.map((difference) => ({ ...difference, blocking: false })) : differences,
    paired: options.paired,
    rounds,
    confirmed: null,
    metrics: metrics.toSorted(byWeight),
    correctness,
    spectra: base.kind === "lock" && head.kind === "lock" ? spectraOf(base, head) : [],
    warnings: [...warnings, ...notRunWarning(brokenAndNotRun(base, head)), ...machineWarnings(differences)],
  };
}

const mostFindings = 40;

function sideOf(result: RunResult, label: string): ComparedSide {
  const { id, startedAt, status, statusReason, seed, argv, replay, tool, environment, findings } = result;
  return {
    id,
    label,
    startedAt,
    status,
    statusReason,
    seed,
    argv,
    replay,
    tool,
    environment,
    findings: findings.slice(0, mostFindings),
  };
}

/** Metrics of the same group and name; where each side has one group only, whatever its name. */
function pairsOf(base: RunResult, head: RunResult): MetricPair[] {
  const [before, after] = [seriesOf(base), seriesOf(head)];
  const groups = (series: typeof before) => new Set(series.map(({ group }) => group));
  const sole = groups(before).size === 1 && groups(after).size === 1;
  return before.flatMap((one) => {
    const match = after.find(
      (other) => other.metric === one.metric && other.name === one.name && (sole || other.group === one.group),
    );
    return match === undefined ? [] : [{ base: one, head: match }];
  });
}

function spectraOf(base: LockResult, head: LockResult): CompareResult["spectra"] {
  const [before, after] = [comparedArms(base), comparedArms(head)];
  return before.flatMap((arm) => {
    const other = before.length === 1 && after.length === 1 ? after[0] : after.find(({ name }) => name === arm.name);
    if (other === undefined) return [];
    return [
      { name: `${arm.name}: acquire`, base: arm.acquire, head: other.acquire },
      { name: `${arm.name}: response`, base: arm.response, head: other.response },
    ].filter((spectrum) => spectrum.base.count > 0 && spectrum.head.count > 0);
  });
}

function appearedFindings(base: RunResult, head: RunResult): CompareResult["findings"] {
  // Of a data type the oracle says all; how it was found makes no other finding of it.
  const key = ({ arm, check, class: kind }: RunResult["findings"][number]) =>
    head.kind === "converge" ? `${arm}\n${check}` : `${arm}\n${check}\n${kind}`;
  const known = new Set(base.findings.map(key));
  return head.findings
    .filter((finding) => finding.inherent !== true && !known.has(key(finding)))
    .slice(0, mostFindings);
}

function notRunWarning(cells: readonly string[]): string[] {
  if (cells.length === 0) return [];
  const some = cells.slice(0, 5).join(", ");
  const more = cells.length > 5 ? `, and ${cells.length - 5} more` : "";
  return [`${plural(cells.length, "cell")} that broke in the base did not run in the head: ${some}${more}.`];
}

function machineWarnings(differences: readonly Difference[]): string[] {
  return differences
    .filter(({ what }) => what === "CPU" || what === "cores")
    .map(
      ({ what, base, head }) =>
        `Another machine: ${what} ${base} against ${head}. Only correctness can be compared between machines.`,
    );
}

const weights = { regressed: 0, improved: 1, inconclusive: 2, unchanged: 3 };

function byWeight(a: ComparedMetric, b: ComparedMetric): number {
  return Number(b.gated) - Number(a.gated) || weights[a.verdict] - weights[b.verdict];
}
