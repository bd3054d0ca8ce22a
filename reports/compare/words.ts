import type { ComparedMetric, CompareResult } from "../../harness/results/compare-schema.ts";
import { capital } from "../../harness/results/sentence.ts";
import { visible } from "../escape.ts";
import { enumerate, formatChange, formatMs, formatNumber, formatShare, nothing, plural } from "../format.ts";
import { thresholdOf } from "./options.ts";

export const metricTones = { regressed: "bad", improved: "good", unchanged: "plain", inconclusive: "quiet" } as const;

/** The comparison in one line; without its word where that stands before it already. */
export function compareHeadline(result: CompareResult, withWord = true): string {
  if (result.calibration !== undefined) return begin("Calibrated", calibrationHeadline(result), withWord);
  const of = (verdict: ComparedMetric["verdict"]) =>
    result.metrics.filter((metric) => metric.gated && metric.verdict === verdict);
  switch (result.verdict) {
    case "broke":
      return `Broke: ${enumerate(shorten(brokenByGroup(result)))}; the base did not.`;
    case "regressed":
      return `Regressed: ${inBrief(of("regressed"))}.`;
    case "improved":
      return `Improved: ${inBrief(of("improved"))}.`;
    case "unchanged":
      return of("unchanged").length > 0
        ? "Unchanged: no violation appeared, and every metric stayed within its threshold."
        : "No violation appeared.";
    case "inconclusive":
      if (looksRegressed(result).length > 0)
        return `${withWord ? "Inconclusive: " : ""}${inBrief(looksRegressed(result))}; but these rounds were not run in turns, and another moment is another machine.`;
      if (nothingCompared(result)) return "Nothing was compared.";
      return begin("Inconclusive", `no violation appeared; ${untold(result)}.`, withWord);
  }
}

/** What broke, each lock or data type once: `set-nx (exclusion, duplicates)`. */
function brokenByGroup({ correctness }: CompareResult): string[] {
  const groups = new Map<string, string[]>();
  for (const { group, what, fails } of correctness) {
    if (fails) groups.set(group, [...(groups.get(group) ?? []), visible(what, 80)]);
  }
  return [...groups].map(([group, whats]) => `${visible(group, 60)} (${enumerate(shorten(whats))})`);
}

function begin(word: string, sentence: string, withWord: boolean): string {
  return withWord ? `${word}: ${sentence}` : capital(sentence);
}

/** Interrupted before both sides had played a round: neither figures nor the absence of violations say anything. */
export function nothingCompared({ status, rounds, metrics, correctness }: CompareResult): boolean {
  return status === "interrupted" && rounds.base + rounds.head + metrics.length + correctness.length === 0;
}

function untold({ metrics }: CompareResult): string {
  const gated = metrics.filter((metric) => metric.gated);
  if (gated.length === 0) return "there was no metric to judge";
  const open = gated.filter(({ verdict }) => verdict === "inconclusive");
  return `${plural(open.length, "metric")} of ${gated.length} could not be told`;
}

/** How far the noisiest metric reaches when nothing changed. */
function calibrationHeadline({ calibration = [] }: CompareResult): string {
  const worst = calibration.toSorted((a, b) => b.noise - a.noise)[0];
  if (worst === undefined) return "too few rounds to tell the noise of this machine.";
  const wider = calibration.filter(({ metric, threshold }) => threshold > thresholdOf(metric)).length;
  const consequence =
    wider === 0
      ? "the default thresholds hold here"
      : `${plural(wider, "metric")} of ${calibration.length} need a wider threshold`;
  return `noise reaches ±${formatShare(worst.noise)} (${visible(worst.name, 80)}); ${consequence}.`;
}

/** The widest threshold of each metric, as options to paste; nothing where the defaults hold. */
export function thresholdFlags({ calibration = [] }: CompareResult): string[] {
  const widest = new Map<string, number>();
  for (const { metric, threshold } of calibration) widest.set(metric, Math.max(threshold, widest.get(metric) ?? 0));
  return [...widest]
    .filter(([metric, threshold]) => threshold > thresholdOf(metric))
    .map(([metric, threshold]) => `--threshold ${metric}=${Math.round(threshold * 100)}`);
}

export function compareSetting({ of, paired, rounds, base, head, confirmed }: CompareResult): string {
  if (rounds.base + rounds.head === 0) return `${of}: ${visible(base.label, 80)} against ${visible(head.label, 80)}.`;
  const rows = paired ? plural(rounds.base, "pair") : `${rounds.base} and ${plural(rounds.head, "round")}`;
  const how = paired ? `${rows} of rounds, run in turns` : `${rows}, not paired`;
  const again =
    confirmed === null ? "" : confirmed ? ", confirmed by a second batch" : ", not confirmed by a second batch";
  return `${of}: ${visible(base.label, 80)} against ${visible(head.label, 80)}, ${how}${again}.`;
}

/** Of stored results: what would be regressions if the rounds were pairs. */
function looksRegressed({ metrics }: CompareResult): ComparedMetric[] {
  return metrics.filter(({ gated, note }) => gated && note?.startsWith("looks regressed"));
}

/** The word for the verdict where the status would say too much: an inconclusive comparison passes, and shows nothing. */
export function verdictWord(result: CompareResult): string | undefined {
  if (result.calibration !== undefined) return "calibrated";
  return result.status === "passed" && result.verdict === "inconclusive" ? "inconclusive" : undefined;
}

/** The metrics with their changes, worst first; whose they are is said once where it is one lock's or data type's. */
function inBrief(metrics: readonly ComparedMetric[]): string {
  const ordered = metrics.toSorted((a, b) => Math.abs(Math.log1p(b.effect ?? 0)) - Math.abs(Math.log1p(a.effect ?? 0)));
  const owners = new Set(ordered.map(({ name }) => ownerOf(name)));
  const [owner = ""] = owners;
  const sole = owners.size === 1 && owner !== "";
  const list = ordered.map(({ name, effect }) => {
    const shown = visible(sole ? name.slice(owner.length + 2) : name, 80);
    return effect === null ? shown : `${shown} ${formatChange(effect)}`;
  });
  return `${sole ? `${visible(owner, 80)}, ` : ""}${enumerate(shorten(list))}`;
}

/** The names of metrics without the lock or data type that they are all of: "acquire P50". */
export function shortNames(metrics: readonly ComparedMetric[]): string[] {
  const owners = new Set(metrics.map(({ name }) => ownerOf(name)));
  const [owner = ""] = owners;
  return metrics.map(({ name }) => (owners.size === 1 && owner !== "" ? name.slice(owner.length + 2) : name));
}

const ownerOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf(": ")));

/** "set-nx: acquire P50 +21.0 % (+15.2 to +28.1 %)". */
export function metricWithEffect(metric: ComparedMetric): string {
  return `${visible(metric.name, 80)} ${effectText(metric)}`;
}

/** The effect with its interval. */
export function effectText({ effect, lo, hi }: ComparedMetric): string {
  if (effect === null) return nothing;
  const interval =
    lo === null || hi === null
      ? "no interval: too few rounds"
      : `${formatChange(lo).replace(" %", "")} to ${formatChange(hi)}`;
  return `${formatChange(effect)} (${interval})`;
}

/** A value of a metric in its unit. */
export function metricValue({ unit }: Pick<ComparedMetric, "unit">, value: number | null): string {
  if (value === null) return nothing;
  if (unit === "ms") return formatMs(value);
  const size = Math.abs(value);
  return `${formatNumber(value, size >= 100 ? 0 : size >= 1 ? 2 : 4)} ${visible(unit, 20)}`.trim();
}

export function pText({ p, pAdjusted }: ComparedMetric): string {
  const shown = pAdjusted ?? p;
  if (shown === null) return nothing;
  return shown < 0.001 ? "< 0.001" : shown.toFixed(3);
}

export const changeWords = { appeared: "appeared", vanished: "vanished", remained: "in both" } as const;

function shorten(list: readonly string[]): string[] {
  return list.length > 3 ? [...list.slice(0, 3), `${list.length - 3} more`] : [...list];
}
