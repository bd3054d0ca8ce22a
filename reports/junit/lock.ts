import type { LockResult } from "../../harness/results/lock-schema.ts";
import { renderFindings } from "../terminal/findings.ts";
import { createPaint } from "../terminal/paint.ts";
import { renderSuites, type TestCase, type TestSuite } from "./suite.ts";
import { verdictCase } from "./verdict.ts";

const checksSinceTheFirst = ["exclusion", "duplicates", "lost work"];

/** One case for each arm and check. */
export function renderLockJunit(result: LockResult): string {
  const seconds = result.durationMs / 1000 / Math.max(1, result.arms.length);
  const arms: TestSuite[] = result.arms.map(({ name, role }) => ({
    name: `lock ${name}`,
    seconds,
    cases: checksOf(result, name, role).map((check) => checkCase(result, name, check)),
  }));
  const run = { name: "lock run", seconds: 0, cases: [verdictCase(result.status, result.statusReason)] };
  return renderSuites("holdfast lock", result.startedAt, [run, ...arms]);
}

/** Of a control only lost work can be a finding. */
function checksOf(result: LockResult, arm: string, role: "control" | "lock"): string[] {
  const found = result.findings.filter((finding) => finding.arm === arm).map(({ check }) => check);
  const ran = role === "lock" ? (result.checks ?? checksSinceTheFirst) : ["lost work"];
  return [...new Set([...ran, ...found])];
}

function checkCase(result: LockResult, arm: string, check: string): TestCase {
  const found = result.findings.filter(
    (finding) => finding.arm === arm && finding.check === check && finding.inherent !== true,
  );
  const [first] = found;
  if (first === undefined) return { name: check };
  return {
    name: check,
    outcome: {
      kind: "failure",
      type: found.map((finding) => finding.class).join(", "),
      message: first.message,
      text: renderFindings(found, createPaint(false), 120),
    },
  };
}
