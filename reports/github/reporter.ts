import type { LockResult } from "../../harness/results/lock-schema.ts";
import { headline } from "../lock/sentences.ts";
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
  const warnings = result.warnings.map((message): Annotation => ({ level: "warning", title: "Holdfast", message }));
  return [
    ...verdictAnnotations("lock", result.status, headline(result), result.statusReason),
    ...findings,
    ...warnings,
  ];
}
