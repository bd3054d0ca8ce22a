import type { MatrixCell, MatrixResult } from "../../harness/results/matrix-schema.ts";
import { renderFindings } from "../terminal/findings.ts";
import { createPaint } from "../terminal/paint.ts";
import { renderSuites, type TestCase } from "./suite.ts";
import { verdictCase } from "./verdict.ts";

/** One suite a lock, one case a scenario. A cell that broke is a failure here, whatever the exit code says. */
export function renderMatrixJunit(result: MatrixResult): string {
  const locks = result.locks.map(({ name }) => {
    const cells = result.cells.filter(({ lock }) => lock === name);
    return {
      name: `matrix ${name}`,
      seconds: cells.reduce((sum, { durationMs }) => sum + durationMs / 1000, 0),
      cases: cells.map(cellCase),
    };
  });
  const run = { name: "matrix run", seconds: 0, cases: [verdictCase(result.status, result.statusReason)] };
  return renderSuites("holdfast matrix", result.startedAt, [run, ...locks]);
}

function cellCase({ scenario, verdict, reason, durationMs, checks, evidence }: MatrixCell): TestCase {
  const base = { name: scenario, seconds: durationMs / 1000 };
  if (verdict === "held") return base;
  if (verdict === "not-applicable") return { ...base, outcome: { kind: "skipped", type: verdict, message: reason } };
  const kind = verdict === "unknown" ? "error" : "failure";
  const text = evidence.length > 0 ? { text: renderFindings(evidence, createPaint(false), 120) } : {};
  return {
    ...base,
    outcome: {
      kind,
      type: [verdict, checks.join(", ")].filter((one) => one !== "").join(": "),
      message: reason,
      ...text,
    },
  };
}
