import type { BenchResult } from "../../harness/results/bench-schema.ts";
import type { CompareResult } from "../../harness/results/compare-schema.ts";
import type { ConvergeResult } from "../../harness/results/converge-schema.ts";
import type { LockResult } from "../../harness/results/lock-schema.ts";
import type { MatrixResult } from "../../harness/results/matrix-schema.ts";
import { benchHeadline } from "../bench/summary.ts";
import { compareHeadline, metricWithEffect } from "../compare/words.ts";
import { convergeHeadline } from "../converge/summary.ts";
import { headline } from "../lock/sentences.ts";
import { matrixHeadline } from "../matrix/summary.ts";
import type { BuiltInReporter } from "../registry.ts";
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
  return [
    ...verdictAnnotations("lock", result.status, headline(result), result.statusReason),
    ...findings,
    ...warned(result),
  ];
}

function convergeAnnotations(result: ConvergeResult): Annotation[] {
  const failures = result.crdts
    .filter(({ mutant }) => mutant === undefined)
    .flatMap(({ name, failures: found }) =>
      found.map(
        ({ oracle, expected, actual, replay }): Annotation => ({
          level: "error",
          title: `${name}: ${oracle}`,
          message: `expected ${expected}, shown ${actual}. ${replay}`,
        }),
      ),
    );
  return [
    ...verdictAnnotations("converge", result.status, convergeHeadline(result), result.statusReason),
    ...failures,
    ...warned(result),
  ];
}

function matrixAnnotations(result: MatrixResult): Annotation[] {
  const onPurpose = new Set(result.locks.filter(({ brokenOnPurpose }) => brokenOnPurpose).map(({ name }) => name));
  const cells = result.cells
    .filter(({ verdict, lock }) => (verdict === "broke" || verdict === "hung") && !onPurpose.has(lock))
    .map(
      ({ lock, scenario, verdict, reason }): Annotation => ({
        level: result.status === "failed" ? "error" : "warning",
        title: `${lock} in ${scenario}: ${verdict}`,
        message: reason,
      }),
    );
  return [
    ...verdictAnnotations("matrix", result.status, matrixHeadline(result), result.statusReason),
    ...cells,
    ...warned(result),
  ];
}

function benchAnnotations(result: BenchResult): Annotation[] {
  return [...verdictAnnotations("bench", result.status, benchHeadline(result), result.statusReason), ...warned(result)];
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
  return [
    ...verdictAnnotations("compare", result.status, compareHeadline(result), result.statusReason),
    ...broken,
    ...regressed,
    ...warned(result),
  ];
}

function warned({ warnings }: { warnings: readonly string[] }): Annotation[] {
  return warnings.map((message) => ({ level: "warning", title: "Holdfast", message }));
}
