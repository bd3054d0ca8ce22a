import { roundsForComparison } from "../../harness/measure/comparison.ts";
import { holm } from "../../harness/measure/holm.ts";
import { medianOf, type ShiftEstimate } from "../../harness/measure/permutation.ts";
import { rankSumTest, shiftBetween, smallestRankSumP } from "../../harness/measure/rank-sum.ts";
import { hodgesLehmann, signedRankTest, smallestSignedRankP } from "../../harness/measure/signed-rank.ts";
import type { ComparedMetric, MetricVerdict } from "../../harness/results/compare-schema.ts";
import { type CompareOptions, level, thresholdOf } from "./options.ts";
import type { MetricSeries } from "./series.ts";

export interface MetricPair {
  base: MetricSeries;
  head: MetricSeries;
}

export interface Judged {
  metrics: ComparedMetric[];
  /** Rounds or pairs that were compared: the fewest of the gated metrics. */
  rounds: { base: number; head: number; needed: number };
}

interface Measured {
  pair: MetricPair;
  gated: boolean;
  base: number[];
  head: number[];
  shift: ShiftEstimate;
  p: number;
  smallestP: number;
}

/**
 * Compares metric by metric, on the log-ratio of rounds: pairs by the exact signed-rank test, unpaired rounds by the
 * exact rank-sum test; p-values adjusted by Holm over the gated metrics.
 */
export function judgeMetrics(pairs: readonly MetricPair[], options: CompareOptions): Judged {
  const measured = pairs.map((pair) => measure(pair, options)).filter((one) => one !== undefined);
  const gated = measured.filter((one) => one.gated);
  const adjusted = holm(gated.map(({ p }) => p));
  const adjustedOf = new Map(gated.map((one, index) => [one, adjusted[index] ?? 1]));
  const metrics = measured.map((one) => judge(one, adjustedOf.get(one), gated.length, options));
  const considered = gated.length > 0 ? gated : measured;
  const fewest = (side: "base" | "head") =>
    considered.length === 0 ? 0 : Math.min(...considered.map((one) => one[side].length));
  return {
    metrics,
    rounds: { base: fewest("base"), head: fewest("head"), needed: roundsNeeded(gated.length, options.paired) },
  };
}

/** The fewest rounds a side with which any of the gated metrics could come out significant. */
function roundsNeeded(gated: number, paired: boolean): number {
  if (gated === 0) return 0;
  if (paired) return roundsForComparison(gated);
  let rounds = 1;
  while (gated * smallestRankSumP(rounds, rounds) > level) rounds++;
  return rounds;
}

function measure(pair: MetricPair, { paired, warmupRounds = 0 }: CompareOptions): Measured | undefined {
  const rounds = (series: MetricSeries) => [...series.rounds].sort(([a], [b]) => a - b).slice(warmupRounds);
  const [allBase, allHead] = [rounds(pair.base), rounds(pair.head)];
  const headOf = new Map(allHead);
  const common = allBase.filter(([round]) => headOf.has(round));
  const base = (paired ? common : allBase).map(([, value]) => value);
  const head = paired ? common.map(([round]) => headOf.get(round) ?? Number.NaN) : allHead.map(([, value]) => value);
  if (base.length === 0 || head.length === 0) return undefined;
  const [logBase, logHead] = [base.map(Math.log), head.map(Math.log)];
  const differences = logHead.map((value, index) => value - (logBase[index] ?? value));
  return {
    pair,
    gated: pair.base.gated && pair.head.gated,
    base,
    head,
    shift: paired ? hodgesLehmann(differences, level) : shiftBetween(logBase, logHead, level),
    p: paired ? signedRankTest(differences) : rankSumTest(logBase, logHead),
    smallestP: paired ? smallestSignedRankP(base.length) : smallestRankSumP(base.length, head.length),
  };
}

function judge(
  one: Measured,
  pAdjusted: number | undefined,
  gatedMetrics: number,
  options: CompareOptions,
): ComparedMetric {
  const { pair, gated, base, head, shift, p } = one;
  const { group, metric, name, unit, better, floor } = pair.base;
  const middle = medianOf(base);
  const threshold = Math.max(thresholdOf(metric, options.thresholds), middle > 0 ? floor / middle : 0);
  const effect = Math.expm1(shift.estimate);
  const [lo, hi] = [Math.expm1(shift.lo), Math.expm1(shift.hi)];
  const enough = one.smallestP * Math.max(1, gatedMetrics) <= level;
  const { verdict, note } = verdictOf({ effect, lo, hi, pAdjusted, threshold, better, gated, enough }, options);
  return {
    name: pair.base.group === pair.head.group ? `${group}: ${name}` : `${group} → ${pair.head.group}: ${name}`,
    group,
    metric,
    unit,
    better,
    gated,
    base: middle,
    head: medianOf(head),
    baseRounds: base,
    headRounds: head,
    effect,
    lo: Number.isFinite(lo) && lo > -1 ? lo : null,
    hi: Number.isFinite(hi) ? hi : null,
    p,
    pAdjusted: pAdjusted ?? null,
    threshold,
    verdict,
    note,
  };
}

interface Facts {
  effect: number;
  lo: number;
  hi: number;
  pAdjusted: number | undefined;
  threshold: number;
  better: "lower" | "higher";
  gated: boolean;
  enough: boolean;
}

function verdictOf(
  { effect, lo, hi, pAdjusted, threshold, better, gated, enough }: Facts,
  { paired, gateUnpaired = false }: CompareOptions,
): { verdict: MetricVerdict; note: string | null } {
  if (!gated || pAdjusted === undefined) return { verdict: "inconclusive", note: "shown, never gated" };
  if (!enough) return { verdict: "inconclusive", note: "not enough rounds" };
  // Downwards the threshold is the same factor: +10 % and its inverse, -9.1 %.
  const beyond = effect >= 0 ? effect > threshold : effect < 1 / (1 + threshold) - 1;
  if (pAdjusted < level && beyond) {
    const verdict = effect > 0 === (better === "lower") ? "regressed" : "improved";
    if (paired || gateUnpaired) return { verdict, note: null };
    return { verdict: "inconclusive", note: `looks ${verdict}, but the rounds are not paired` };
  }
  const inside = lo > 1 / (1 + threshold) - 1 && hi < threshold;
  return inside ? { verdict: "unchanged", note: null } : { verdict: "inconclusive", note: "too noisy to tell" };
}
