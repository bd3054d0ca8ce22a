import type { Correctness } from "../../harness/results/compare-schema.ts";
import type { ConvergeResult } from "../../harness/results/converge-schema.ts";
import type { LockResult } from "../../harness/results/lock-schema.ts";
import type { MatrixCell, MatrixResult } from "../../harness/results/matrix-schema.ts";
import { crdtVerdict } from "../converge/summary.ts";
import { formatNumber } from "../format.ts";
import type { RunResult } from "../result.ts";
import { comparedArms } from "./series.ts";

interface Fault {
  group: string;
  what: string;
  shown: string;
}

/**
 * Violations, lost jobs, divergences: whatever the base did not have fails the comparison outright, and what vanished is
 * said. No statistic.
 */
export function compareCorrectness(base: RunResult, head: RunResult): Correctness[] {
  if (base.kind === "lock" && head.kind === "lock")
    return compareFaults(lockFaults(base, base), lockFaults(head, base));
  if (base.kind === "converge" && head.kind === "converge")
    return compareFaults(convergeFaults(base), convergeFaults(head));
  if (base.kind === "matrix" && head.kind === "matrix") return compareCells(base, head);
  return [];
}

function compareFaults(base: Map<string, Fault>, head: Map<string, Fault>): Correctness[] {
  const keys = [...new Set([...base.keys(), ...head.keys()])];
  return keys.map((key) => {
    const [before, after] = [base.get(key), head.get(key)];
    const known = after ?? before;
    const change = before === undefined ? "appeared" : after === undefined ? "vanished" : "remained";
    return {
      change,
      group: known?.group ?? "",
      what: known?.what ?? "",
      base: before?.shown ?? "none",
      head: after?.shown ?? "none",
      fails: change === "appeared",
    };
  });
}

/** By the place of an arm, so that one lock can be compared with another. */
function lockFaults(result: LockResult, names: LockResult): Map<string, Fault> {
  const faults = new Map<string, Fault>();
  const arms = comparedArms(result);
  const group = (arm: string) => {
    const place = arms.findIndex(({ name }) => name === arm);
    const sole = arms.length === 1 && comparedArms(names).length === 1;
    return sole && place === 0 ? (comparedArms(names)[0]?.name ?? arm) : arm;
  };
  for (const { arm, check, class: kind, count, inherent } of result.findings) {
    if (inherent === true) continue;
    faults.set(`${group(arm)}\n${check}\n${kind}`, {
      group: arm,
      what: `${check}: ${kind}`,
      shown: `${formatNumber(count)} ×`,
    });
  }
  for (const { name, jobs } of result.arms) {
    const known = result.findings.some(({ arm, check }) => arm === name && check === "lost work");
    if (jobs.lost > 0 && !known)
      faults.set(`${group(name)}\nlost work\n`, { group: name, what: "lost jobs", shown: formatNumber(jobs.lost) });
  }
  for (const { name, jobs } of arms) {
    const harmful = jobs.duplicated - jobs.inherentDuplicates;
    const known = result.findings.some(
      ({ arm, check, inherent }) => arm === name && check === "duplicates" && inherent !== true,
    );
    const isLock = result.arms.find((arm) => arm.name === name)?.role === "lock";
    if (isLock && harmful > 0 && !known) {
      faults.set(`${group(name)}\nduplicates\n`, {
        group: name,
        what: "jobs executed twice or more",
        shown: formatNumber(harmful),
      });
    }
  }
  return faults;
}

function convergeFaults({ crdts }: ConvergeResult): Map<string, Fault> {
  const faults = new Map<string, Fault>();
  for (const crdt of crdts) {
    const { name, failed, failures, mutant } = crdt;
    if (mutant !== undefined) {
      if (crdtVerdict(crdt) === "survived")
        faults.set(`${name}\nsurvived`, {
          group: name,
          what: "broken on purpose, and not found out",
          shown: "survived",
        });
      continue;
    }
    for (const { oracle } of failures) faults.set(`${name}\n${oracle}`, { group: name, what: oracle, shown: "found" });
    for (const [oracle, count] of Object.entries(failed)) {
      faults.set(`${name}\n${oracle}`, { group: name, what: oracle, shown: `${formatNumber(count)} schedules` });
    }
  }
  return faults;
}

/** What broke in the base and was not run by the head: it neither remained nor vanished. */
export function brokenAndNotRun(base: RunResult, head: RunResult): string[] {
  if (base.kind !== "matrix" || head.kind !== "matrix") return [];
  const run = new Set(head.cells.map(({ lock, scenario }) => `${lock}\n${scenario}`));
  return base.cells
    .filter(({ lock, scenario, verdict }) => bad.has(verdict) && !run.has(`${lock}\n${scenario}`))
    .map(({ lock, scenario }) => `${lock} in ${scenario}`);
}

const bad = new Set(["broke", "hung"]);

function compareCells(base: MatrixResult, head: MatrixResult): Correctness[] {
  const onPurpose = new Set(head.locks.filter(({ brokenOnPurpose }) => brokenOnPurpose).map(({ name }) => name));
  const before = new Map(base.cells.map((cell) => [`${cell.lock}\n${cell.scenario}`, cell]));
  const entries: Correctness[] = [];
  for (const cell of head.cells) {
    const old = before.get(`${cell.lock}\n${cell.scenario}`);
    before.delete(`${cell.lock}\n${cell.scenario}`);
    // Of a lock that is broken on purpose it is the break that must not vanish.
    const expectBreak = onPurpose.has(cell.lock);
    const wrong = (one: MatrixCell | undefined) =>
      one !== undefined &&
      (expectBreak ? !bad.has(one.verdict) && bad.has(old?.verdict ?? "held") : bad.has(one.verdict));
    const [was, is] = [expectBreak ? false : wrong(old), wrong(cell)];
    const moved = old !== undefined && old.verdict !== cell.verdict;
    if (!was && !is && !moved) continue;
    const change = is && !was ? "appeared" : was && !is ? "vanished" : is ? "remained" : "vanished";
    entries.push({
      change,
      group: cell.lock,
      what: `${cell.scenario}${cell.checks.length > 0 ? ` (${cell.checks.join(", ")})` : ""}`,
      base: old?.verdict ?? "not run",
      head: cell.verdict,
      fails: is && !was,
    });
  }
  return entries;
}
