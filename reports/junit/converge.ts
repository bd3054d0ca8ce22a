import type { ConvergeCrdt, ConvergeResult } from "../../harness/results/converge-schema.ts";
import { crdtVerdict } from "../converge/summary.ts";
import { renderFailure } from "../terminal/converge.ts";
import { createPaint } from "../terminal/paint.ts";
import { renderSuites, type TestCase, type TestSuite } from "./suite.ts";
import { verdictCase } from "./verdict.ts";

/** One case for each data type and oracle; one for each implementation that is broken on purpose. */
export function renderConvergeJunit(result: ConvergeResult): string {
  const mutants = result.crdts.filter(({ mutant }) => mutant !== undefined);
  const suites: TestSuite[] = [
    { name: "converge run", seconds: 0, cases: [verdictCase(result.status, result.statusReason)] },
  ];
  for (const crdt of result.crdts.filter(({ mutant }) => mutant === undefined)) {
    const oracles = [
      ...new Set([...result.oracles, ...Object.keys(crdt.failed), ...crdt.failures.map(({ oracle }) => oracle)]),
    ];
    suites.push({
      name: `converge ${crdt.name}`,
      seconds: crdt.elapsedMs / 1000,
      cases: oracles.map((oracle) => oracleCase(crdt, oracle)),
    });
  }
  if (mutants.length > 0) {
    const seconds = mutants.reduce((sum, { elapsedMs }) => sum + elapsedMs / 1000, 0);
    suites.push({ name: "converge zoo", seconds, cases: mutants.map(mutantCase) });
  }
  return renderSuites("holdfast converge", result.startedAt, suites);
}

function oracleCase(crdt: ConvergeCrdt, oracle: string): TestCase {
  const found = crdt.failures.filter((failure) => failure.oracle === oracle);
  const count = crdt.failed[oracle] ?? found.length;
  if (count === 0) return { name: oracle };
  const [first] = found;
  return {
    name: oracle,
    outcome: {
      kind: "failure",
      type: oracle,
      message:
        first === undefined
          ? `${count} schedules`
          : `expected ${first.expected}, shown ${first.actual} (${count} schedules)`,
      text: found.map((failure) => renderFailure(crdt, failure, createPaint(false), 120)).join("\n\n"),
    },
  };
}

function mutantCase(crdt: ConvergeCrdt): TestCase {
  if (crdtVerdict(crdt) === "killed") return { name: crdt.name, seconds: crdt.elapsedMs / 1000 };
  const message = `not found out in ${crdt.schedules} schedules; ${crdt.mutant?.caughtBy.join(" or ") ?? "an oracle"} should have`;
  return { name: crdt.name, seconds: crdt.elapsedMs / 1000, outcome: { kind: "failure", type: "survived", message } };
}
