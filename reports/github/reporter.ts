import type { BenchResult } from "../../harness/results/bench-schema.ts";
import type { CompareResult } from "../../harness/results/compare-schema.ts";
import type { ConvergeResult } from "../../harness/results/converge-schema.ts";
import type { LockResult } from "../../harness/results/lock-schema.ts";
import type { MatrixResult } from "../../harness/results/matrix-schema.ts";
import type { BuiltInReporter } from "../built-in-reporter.ts";
import { metricWithEffect } from "../compare/words.ts";
import { counterexamplesOf } from "../converge/summary.ts";
import { plural } from "../format.ts";
import { cellWeights } from "../matrix/weight.ts";
import { type Annotation, renderAnnotations } from "./annotation.ts";
import { verdictAnnotations } from "./verdict.ts";

const output = (annotations: readonly Annotation[]) => ({ stdout: renderAnnotations(annotations) });

export const github: BuiltInReporter = {
  name: "github",
  summary: "Annotations for GitHub Actions: an error for each finding, a warning where there is no verdict",
  writes: "stdout",
  report: {
    lock: (result) => output(lockAnnotations(result)),
    converge: (result) => output(convergeAnnotations(result)),
    matrix: (result) => output(matrixAnnotations(result)),
    compare: (result) => output(compareAnnotations(result)),
    bench: (result) => output(benchAnnotations(result)),
  },
};

function lockAnnotations(result: LockResult): Annotation[] {
  const findings = result.findings.map(
    ({ check, class: kind, arm, message, inherent }): Annotation => ({
      level: inherent === true ? "notice" : "error",
      title: `${arm}: ${check} (${kind})`,
      message,
    }),
  );
  return [...verdictAnnotations(result), ...findings, ...warned(result)];
}

function convergeAnnotations(result: ConvergeResult): Annotation[] {
  // The first counterexample by each oracle: GitHub shows ten annotations, and thirty of one kind would hide the others.
  const seen = new Set<string>();
  const failures = counterexamplesOf(result.crdts.filter(({ mutant }) => mutant === undefined)).flatMap(
    ({ crdt, failure: { oracle, expected, actual, replay } }): Annotation[] => {
      const title = `${crdt.name}: ${oracle}`;
      if (seen.has(title)) return [];
      seen.add(title);
      const times = plural(crdt.failed[oracle] ?? 1, "schedule");
      return [
        {
          level: "error",
          title,
          message: `Expected ${expected}, shown ${actual} (${times}). Run it again: ${replay}`,
        },
      ];
    },
  );
  return [...verdictAnnotations(result), ...failures, ...warned(result)];
}

/** An error for each cell that fails the command; what else broke is worth a warning. */
function matrixAnnotations(result: MatrixResult): Annotation[] {
  const onPurpose = new Set(result.locks.filter(({ brokenOnPurpose }) => brokenOnPurpose).map(({ name }) => name));
  const weightOf = cellWeights(result);
  const cells = result.cells.flatMap((cell): Annotation[] => {
    const { lock, scenario, verdict, reason } = cell;
    const fails = weightOf(cell) === "fails";
    if (!fails && (onPurpose.has(lock) || (verdict !== "broke" && verdict !== "hung"))) return [];
    return [{ level: fails ? "error" : "warning", title: `${lock} in ${scenario}: ${verdict}`, message: reason }];
  });
  return [...verdictAnnotations(result), ...cells, ...warned(result)];
}

function benchAnnotations(result: BenchResult): Annotation[] {
  return [...verdictAnnotations(result), ...warned(result)];
}

function compareAnnotations(result: CompareResult): Annotation[] {
  const broken = result.correctness
    .filter(({ fails }) => fails)
    .map(
      ({ group, what, base, head }): Annotation => ({
        level: "error",
        title: `${group}: ${what}`,
        message: `base: ${base}, head: ${head}`,
      }),
    );
  const regressed = result.metrics
    .filter(({ gated, verdict }) => gated && verdict === "regressed")
    .map(
      (metric): Annotation => ({
        level: "error",
        title: `Regressed: ${metric.name}`,
        message: metricWithEffect(metric),
      }),
    );
  return [...verdictAnnotations(result), ...broken, ...regressed, ...warned(result)];
}

function warned({ warnings }: { warnings: readonly string[] }): Annotation[] {
  return warnings.map((message) => ({ level: "warning", title: "Holdfast", message }));
}
