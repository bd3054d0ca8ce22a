import type { CompareResult } from "../../harness/results/compare-schema.ts";
import { effectText } from "../compare/words.ts";
import { renderSuites, type TestCase } from "./suite.ts";
import { verdictCase } from "./verdict.ts";

/** One case for each gated metric and for each violation. */
export function renderCompareJunit(result: CompareResult): string {
  const metrics = result.metrics
    .filter(({ gated }) => gated)
    .map((metric): TestCase => {
      if (metric.verdict === "regressed") {
        return { name: metric.name, outcome: { kind: "failure", type: "regressed", message: effectText(metric) } };
      }
      if (metric.verdict === "inconclusive") {
        return {
          name: metric.name,
          outcome: { kind: "skipped", type: "inconclusive", message: `${effectText(metric)}: ${metric.note ?? ""}` },
        };
      }
      return { name: metric.name };
    });
  const correctness = result.correctness.map(
    ({ group, what, change, base, head, fails }): TestCase =>
      fails
        ? {
            name: `${group}: ${what}`,
            outcome: { kind: "failure", type: change, message: `base: ${base}, head: ${head}` },
          }
        : { name: `${group}: ${what}` },
  );
  return renderSuites("holdfast compare", result.startedAt, [
    {
      name: "compare run",
      seconds: result.durationMs / 1000,
      cases: [verdictCase(result.status, result.statusReason)],
    },
    { name: "compare correctness", seconds: 0, cases: correctness },
    { name: "compare performance", seconds: 0, cases: metrics },
  ]);
}
