import type { MatrixCell, MatrixResult } from "../../harness/results/matrix-schema.ts";
import { type CellWeight, cellWeights } from "../matrix/weight.ts";
import { renderFindings } from "../terminal/findings.ts";
import { createPaint } from "../terminal/paint.ts";
import { renderSuites, type TestCase } from "./suite.ts";
import { verdictCase } from "./verdict.ts";

/**
 * One suite a lock, one case a scenario. A case fails where its cell fails the command; one that broke without that passes,
 * and says in its output what was seen.
 */
export function renderMatrixJunit(result: MatrixResult): string {
  const weightOf = cellWeights(result);
  const locks = result.locks.map(({ name }) => {
    const cells = result.cells.filter(({ lock }) => lock === name);
    return {
      name: `matrix ${name}`,
      seconds: cells.reduce((sum, { durationMs }) => sum + durationMs / 1000, 0),
      cases: cells.map((cell) => cellCase(cell, weightOf(cell))),
    };
  });
  const run = { name: "matrix run", seconds: 0, cases: [verdictCase(result.status, result.statusReason)] };
  return renderSuites("holdfast matrix", result.startedAt, [run, ...locks]);
}

function cellCase(
  { scenario, verdict, reason, durationMs, checks, evidence }: MatrixCell,
  weight: CellWeight,
): TestCase {
  const base = { name: scenario, seconds: durationMs / 1000 };
  const type = [verdict, checks.join(", ")].filter((one) => one !== "").join(": ");
  const text = evidence.length > 0 ? { text: renderFindings(evidence, createPaint(false), 120) } : {};
  if (weight !== "counts not") {
    return { ...base, outcome: { kind: weight === "fails" ? "failure" : "error", type, message: reason, ...text } };
  }
  if (verdict === "held") return base;
  if (verdict === "broke" || verdict === "hung") {
    return { ...base, output: [`${type}. ${reason}`, text.text ?? ""].join("\n\n").trimEnd() };
  }
  return { ...base, outcome: { kind: "skipped", type: verdict, message: reason } };
}
