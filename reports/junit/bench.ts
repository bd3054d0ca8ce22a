import type { BenchResult } from "../../harness/results/bench-schema.ts";
import { figure, groupsOf, ratioText } from "../bench/summary.ts";
import { renderSuites, type TestCase } from "./suite.ts";
import { verdictCase } from "./verdict.ts";

/** One case a benchmark; a goal that was missed is a failure. */
export function renderBenchJunit(result: BenchResult): string {
  const groups = [...groupsOf(result.benchmarks)].map(([group, benchmarks]) => ({
    name: `bench ${group}`,
    seconds: 0,
    cases: benchmarks.map(
      (one): TestCase =>
        one.goal?.met === false
          ? {
              name: one.name,
              outcome: {
                kind: "failure",
                type: "goal missed",
                message: `goal: ${one.goal.text}; measured: ${figure(one.p50, one.unit)} ${ratioText(one)}`.trim(),
              },
            }
          : { name: one.name },
    ),
  }));
  const run = {
    name: "bench run",
    seconds: result.durationMs / 1000,
    cases: [verdictCase(result.status, result.statusReason)],
  };
  return renderSuites("holdfast bench", result.startedAt, [run, ...groups]);
}
