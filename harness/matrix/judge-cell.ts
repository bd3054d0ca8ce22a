import { runChecks } from "../checks/registry.ts";
import { indexRound } from "../checks/round-index.ts";
import { traceLateness } from "../checks/trace-times.ts";
import { faultWindows } from "../checks/windows.ts";
import type { ArmRound, Finding } from "../contracts/check.ts";
import type { LockPlan } from "../contracts/lock-plan.ts";
import type { Scenario } from "../contracts/scenario.ts";
import type { CellFault } from "../results/matrix-schema.ts";
import type { CellOutcome } from "./cell.ts";

export interface CellRecord {
  plan: LockPlan;
  scenario: Scenario;
  armRounds: readonly ArmRound[];
  /** The job's writes carry a fencing token, and the witness refuses old ones. */
  fenced: boolean;
  durationMs: number;
}

/**
 * What a cell says about its lock: pure, from its history. A finding stays one whatever was reached; without one, a
 * scenario that did not come about is unknown, never held.
 */
export function judgeCell({ plan, scenario, armRounds, fenced, durationMs }: CellRecord): CellOutcome {
  const { findings, notJudged } = runChecks({ plan, armRounds });
  const against = findings.filter((finding) => !finding.inherent && !excused(finding, scenario, fenced));
  const hung = onlyHung(against);
  const counted = hung ? [...against].sort((a, b) => Number(isHang(b)) - Number(isHang(a))) : against;
  const checks = [...new Set(counted.map(({ check }) => check))];
  const outcome = (verdict: CellOutcome["verdict"], reason: string): CellOutcome => ({
    ...{ verdict, reason, checks, durationMs },
    findings: counted,
    ...(counted.length === 0 ? {} : { faults: faultsOf(armRounds, plan) }),
  });
  if (counted.length > 0) return outcome(hung ? "hung" : "broke", told(counted));
  if (notJudged[0])
    return outcome("unknown", `The check ${notJudged[0].check} failed itself: ${firstLine(notJudged[0].error)}.`);
  const doubt = spoiltBy(armRounds, plan) ?? unreached(scenario, armRounds, plan);
  if (doubt !== undefined) return outcome("unknown", doubt);
  return outcome("held", "The scenario came about, and no check found anything.");
}

/**
 * Where every write carries a fencing token, a holder that outlived its lease can do no harm: what it sends after a later
 * holder's write is refused.
 */
const HARMLESS_WHEN_FENCED: Readonly<Record<string, readonly string[]>> = {
  exclusion: ["expired hold"],
  "late effects": ["after the promise", "after a long stop"],
  validity: ["dead grant"],
};

function excused({ check, class: kind }: Finding, { premises = [] }: Scenario, fenced: boolean): boolean {
  if (fenced && HARMLESS_WHEN_FENCED[check]?.includes(kind)) return true;
  return premises.some((premise) => premise.check === check && premise.class === kind);
}

/** What follows from a lock that does not come back: nobody else gets on either. */
const FOLLOWS_A_HANG = ["liveness", "lost work"];

const isHang = ({ check, class: kind }: Finding): boolean => check === "hang" || kind === "wedged worker";

function onlyHung(findings: readonly Finding[]): boolean {
  return findings.some(isHang) && findings.every(({ check }) => check === "hang" || FOLLOWS_A_HANG.includes(check));
}

function told([first, ...others]: readonly Finding[]): string {
  if (!first) return "";
  const more = [...new Set(others.map(({ check }) => check))].filter((check) => check !== first.check);
  const also = more.length > 0 ? ` Also: ${more.join(", ")}.` : "";
  return `${first.check} (${first.class}): ${first.message}${also}`;
}

/** More of them would hide what they are shown beside. */
const MOST_FAULTS = 40;
/** What lasts for nearly all of a round is everybody's all the time. */
const NEARLY_ALL = 0.8;

function faultsOf(armRounds: readonly ArmRound[], { roundMs }: LockPlan): CellFault[] {
  return armRounds
    .flatMap((round) => faultWindows(indexRound(round)))
    .filter(({ startNs, endNs }) => endNs - startNs <= NEARLY_ALL * roundMs * 1e6)
    .slice(0, MOST_FAULTS)
    .map(({ name, target, startNs, endNs }) => ({ name, target, fromNs: startNs, toNs: endNs }));
}

function unreached({ reach }: Scenario, armRounds: readonly ArmRound[], plan: LockPlan): string | undefined {
  const missed = reach.filter((condition) => !armRounds.some((round) => condition.reached(round, plan)));
  return missed.length === 0 ? undefined : `Not reached: ${missed.map(({ name }) => name).join("; ")}.`;
}

/** How late a job or a fault may come before the cell is another than the one that was planned, ms. */
export const LATE_MS = 150;

/** Why the run was not what was planned: a fault that failed, a machine too busy. Undefined where it was. */
function spoiltBy(armRounds: readonly ArmRound[], plan: LockPlan): string | undefined {
  const events = armRounds.flatMap((round) => round.events);
  const failed = events.find(({ op, error }) => op === "fault" && error !== undefined);
  if (failed) return `The fault ${String(failed.detail?.name)} could not be injected or healed: ${failed.error}.`;
  const silent = events.find(({ op, outcome }) => op === "round" && outcome === "no-answer");
  if (silent) return `After everything was healed, ${String(silent.detail?.error)}.`;
  if (!events.some(({ op, outcome }) => op === "round" && outcome === "healed")) return "It was cut short.";
  return latest(armRounds, plan);
}

/** Was the machine too busy? What came too late, if anything did. */
export function latest(armRounds: readonly ArmRound[], plan: LockPlan): string | undefined {
  return latestStart(armRounds, plan) ?? lateTrace(armRounds);
}

/** How late the trace may be read before what it says of times is in doubt, ms. */
const LATE_TRACE_MS = 250;

/** The server's own time of each command tells how late it was read, against the promptest from that node. */
function lateTrace(armRounds: readonly ArmRound[]): string | undefined {
  let worstNs = 0;
  for (const round of armRounds) {
    for (const lateNs of traceLateness(indexRound(round)).values()) worstNs = Math.max(worstNs, lateNs);
  }
  if (worstNs <= LATE_TRACE_MS * 1e6) return undefined;
  return `The machine was too busy: the trace of the servers was read up to ${Math.round(worstNs / 1e6)} ms late.`;
}

function latestStart(armRounds: readonly ArmRound[], { roundMs }: LockPlan): string | undefined {
  let worst: { what: string; byMs: number } | undefined;
  for (const { events } of armRounds) {
    const loadStartNs = events.find(({ op, outcome }) => op === "round" && outcome === "load-start")?.atNs ?? 0;
    for (const { op, phase, job, atNs, detail } of events) {
      let plannedNs: number | undefined;
      if (op === "arrive" && phase === "invoke") plannedNs = Number(detail?.plannedAtNs);
      const at = detail?.plannedAtMs;
      const timed = op === "fault" && detail?.action === "inject" && typeof at === "number" && at > 0 && at < roundMs;
      if (timed) plannedNs = loadStartNs + Number(at) * 1e6;
      if (plannedNs === undefined) continue;
      const byMs = (atNs - plannedNs) / 1e6;
      const what = timed ? `the fault ${String(detail?.name)}` : `the job ${job}`;
      if (byMs > LATE_MS && byMs > (worst?.byMs ?? 0)) worst = { what, byMs };
    }
  }
  return worst && `The machine was too busy: ${worst.what} came ${Math.round(worst.byMs)} ms late.`;
}

/** Whatever depends on time says nothing on a machine that is too busy; that two held one key at once stays true. */
const TIMED_CHECKS = ["liveness", "hang", "lost work", "orphan lock", "validity", "linearizability"];
const TIMED_CLASSES = ["renewal after release", "expired hold", "after the promise", "after a long stop"];

/** What is left of an outcome when the machine was too busy for the cell even with few others beside it. */
export function withoutTimed(outcome: CellOutcome, late: string): CellOutcome {
  const findings = outcome.findings.filter(
    ({ check, class: kind }) => !TIMED_CHECKS.includes(check) && !TIMED_CLASSES.includes(kind),
  );
  if (outcome.verdict === "broke" && findings.length > 0) {
    return { ...outcome, reason: told(findings), findings, checks: [...new Set(findings.map(({ check }) => check))] };
  }
  return {
    ...outcome,
    verdict: "unknown",
    reason: `${late} With few others beside it, too.`,
    findings: [],
    checks: [],
  };
}

const firstLine = (text: string) => text.split("\n")[0] ?? "";
