import type { CompareResult } from "../../harness/results/compare-schema.ts";
import type { CompareOptions } from "./options.ts";
import { conclude } from "./verdict.ts";

/** Does a comparison need a second batch before it may fail? Only a regression does; correctness never. */
export function needsConfirmation({ verdict }: CompareResult): boolean {
  return verdict === "regressed";
}

/** A regression that a second batch does not show again is inconclusive. What broke in either batch is broken. */
export function confirmComparison(first: CompareResult, second: CompareResult, options: CompareOptions): CompareResult {
  const again = new Set(
    second.metrics.filter(({ verdict }) => verdict === "regressed").map(({ name, metric }) => `${name}\n${metric}`),
  );
  const metrics = first.metrics.map((metric) =>
    metric.verdict !== "regressed" || again.has(`${metric.name}\n${metric.metric}`)
      ? metric
      : { ...metric, verdict: "inconclusive" as const, note: "regressed in one batch, not in the second" },
  );
  const known = new Set(first.correctness.map(({ group, what }) => `${group}\n${what}`));
  const correctness = [
    ...first.correctness,
    ...second.correctness.filter(({ group, what }) => !known.has(`${group}\n${what}`)),
  ];
  const conclusion = conclude({ ...first, metrics, correctness }, options);
  return { ...first, metrics, correctness, ...conclusion, confirmed: conclusion.verdict === "regressed" };
}
