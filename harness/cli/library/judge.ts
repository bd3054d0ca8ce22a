import { headline } from "../../../reports/lock/sentences.ts";
import { shownFolder } from "../../../reports/paths.ts";
import { renderFailure } from "../../../reports/terminal/converge.ts";
import { renderFindings, type ShownFinding } from "../../../reports/terminal/findings.ts";
import { createPaint } from "../../../reports/terminal/paint.ts";
import type { ConvergeResult } from "../../results/converge-schema.ts";
import type { LockResult } from "../../results/lock-schema.ts";
import type { MatrixResult } from "../../results/matrix-schema.ts";
import type { Result } from "../../results/result-schema.ts";
import { runFolder } from "./run-folder.ts";

/** What a result says of a claim such as *it holds*. */
export interface Judgement {
  /** `unknown`: the run could have shown neither; that is no success, of the claim or of its opposite. */
  verdict: "yes" | "no" | "unknown";
  /** The verdict in words, with findings and their evidence, the command to see it again and the folder. */
  message: string;
}

const paint = createPaint(false);
const width = 100;
const mostCells = 5;
const mostCounterexamples = 3;

/**
 * Did the lock hold? A run without faults, or whose control could not show a duplicate, is *unknown*.
 * @param name judges one lock of several: the name of an arm, or of a lock of a matrix
 */
export function judgeHold(result: LockResult | MatrixResult, name?: string): Judgement {
  return result.kind === "lock" ? judgeLock(result, name) : judgeMatrix(result, name);
}

/**
 * Did the replicas converge, and to the right thing?
 * @param name judges one data type of several
 */
export function judgeConvergence(result: ConvergeResult, name?: string): Judgement {
  const crdts = result.crdts.filter((crdt) => name === undefined || crdt.name === name);
  if (crdts.length === 0) return unknown(result, unheard(name, namesOf(result.crdts)));
  if (result.mode === "zoo") return unknown(result, "a zoo shows what the oracles see, not that something converges");
  const broken = crdts.filter(({ failed }) => Object.keys(failed).length > 0);
  // Failures of another data type are not this one's.
  if (broken.length === 0 && result.status === "failed") return yes(result, `${list(namesOf(crdts))} converged`);
  if (broken.length === 0) return passedUnlessCutShort(result, `${list(namesOf(crdts))} converged`);
  const failures = broken.flatMap((crdt) =>
    crdt.failures.slice(0, mostCounterexamples).map((failure) => renderFailure(crdt, failure, paint, width)),
  );
  const what = broken.map(
    (crdt) => `${crdt.name}: ${list(Object.entries(crdt.failed).map(([oracle, count]) => `${oracle} in ${count}`))}`,
  );
  return no(result, `${list(namesOf(broken))} did not converge (${what.join("; ")} schedules)`, failures);
}

function judgeLock(result: LockResult, name: string | undefined): Judgement {
  const arms = result.arms.filter(({ role }) => role === "lock");
  const names = namesOf(arms);
  if (name !== undefined && !names.includes(name)) return unknown(result, unheard(name, names));
  const failures = result.findings.filter(
    ({ inherent, arm }) => inherent !== true && (name === undefined || arm === name),
  );
  if (failures.length > 0) {
    const broken = [...new Set(failures.map(({ arm }) => arm))];
    return no(result, `${list(broken)} did not hold. ${headline(result)}`, [renderFindings(failures, paint, width)]);
  }
  if (result.status === "passed" && result.power === null) {
    return unknown(result, "a run without faults measures cost, and cannot show that a lock holds");
  }
  // Another arm's findings are not this one's; without them the status would have been decided by the control's power.
  if (result.status === "failed" && result.power?.enough === true) return yes(result, `${list([name ?? ""])} held`);
  return passedUnlessCutShort(result, `${list(name === undefined ? names : [name])} held`);
}

function judgeMatrix(result: MatrixResult, name: string | undefined): Judgement {
  const names = namesOf(result.locks);
  if (name !== undefined && !names.includes(name)) return unknown(result, unheard(name, names));
  const cells = result.cells.filter(
    ({ lock, verdict }) => (name === undefined || lock === name) && verdict !== "not-applicable",
  );
  const bad = cells.filter(({ verdict }) => verdict === "broke" || verdict === "hung");
  if (bad.length > 0) {
    const shown = bad.slice(0, mostCells).map(({ lock, scenario, verdict, reason, evidence, replay }) => {
      const findings = evidence.slice(0, 1) as readonly ShownFinding[];
      const proof = findings.length > 0 ? `\n${renderFindings(findings, paint, width)}` : "";
      return `✗ ${lock} in ${scenario}  ${verdict}\n  ${reason}${proof}\n  Again: ${replay}`;
    });
    const left = bad.length - shown.length;
    const more = left > 0 ? [`${left} more cells broke or hung.`] : [];
    return no(result, `${bad.length} of ${cells.length} cells broke or hung`, [...shown, ...more]);
  }
  const open = cells.filter(({ verdict }) => verdict === "unknown");
  if (open[0]) {
    const { lock, scenario, reason } = open[0];
    return unknown(
      result,
      `${open.length} of ${cells.length} cells reached no verdict, such as ${lock} in ${scenario}: ${reason}`,
    );
  }
  if (cells.length === 0) return unknown(result, "no scenario applies");
  return result.status === "interrupted" ? passedUnlessCutShort(result, "held") : yes(result, "held in every scenario");
}

function passedUnlessCutShort(result: Result, words: string): Judgement {
  return result.status === "passed" ? yes(result, words) : unknown(result, result.statusReason);
}

const yes = (result: Result, words: string): Judgement => ({
  verdict: "yes",
  message: `${words}. ${result.statusReason}\n\n${ending(result)}`,
});

const no = (result: Result, words: string, proof: readonly string[]): Judgement => ({
  verdict: "no",
  message: [words, ...proof, ending(result)].join("\n\n"),
});

const unknown = (result: Result, reason: string): Judgement => ({
  verdict: "unknown",
  message: `Nothing was shown: ${reason.replace(/\.$/, "")}.\n\n${ending(result)}`,
});

function ending(result: Result): string {
  const folder = runFolder(result);
  const again = `Again:   ${result.replay}`;
  return folder === undefined ? again : `${again}\nStored:  ${shownFolder({ folder, cwd: process.cwd() })}`;
}

const unheard = (name: string | undefined, names: readonly string[]): string =>
  name === undefined ? "nothing was run" : `"${name}" was not under test; there was ${list(names)}`;

const namesOf = (things: readonly { name: string }[]): string[] => things.map(({ name }) => name);

const list = (names: readonly string[]): string => (names.length === 0 ? "nothing" : names.join(", "));
