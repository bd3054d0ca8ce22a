import type { Finding } from "../contracts/check.ts";
import type { LockPlan } from "../contracts/lock-plan.ts";
import type { Status } from "./common-schema.ts";
import type { ArmResult, Bounds, FaultRecord, Power } from "./lock-schema.ts";
import { ENOUGH } from "./power.ts";
import { sentence } from "./sentence.ts";

export interface StatusInput {
  plan: LockPlan;
  arms: readonly ArmResult[];
  findings: readonly Finding[];
  faults: readonly FaultRecord[];
  power: Power | null;
  bounds: readonly Bounds[];
  /** Checks that could not judge. */
  notJudged: readonly { check: string; error: string }[];
  /** What the runner says makes the run unknown: a system that did not answer after healing, a reach condition. */
  unknown: readonly string[];
  /** Why the run was cut short, if it was. */
  interrupted?: string;
}

/** The verdict, and why. Failed comes before unknown, unknown before passed; what was cut short is interrupted. */
export function statusOf(input: StatusInput): { status: Status; statusReason: string } {
  const failures = input.findings.filter(({ inherent }) => !inherent);
  if (input.interrupted !== undefined) {
    const found = failures.length > 0 ? ` Until then: ${listed(failures)}.` : "";
    return { status: "interrupted", statusReason: `${sentence(input.interrupted)}${found}` };
  }
  if (failures.length > 0) return { status: "failed", statusReason: `Findings: ${listed(failures)}.` };
  const doubt = doubtOf(input);
  if (doubt !== undefined) return { status: "unknown", statusReason: doubt };
  return { status: "passed", statusReason: passedReason(input) };
}

function listed(failures: readonly Finding[]): string {
  return failures.map(({ check, class: kind, arm, count }) => `${arm}: ${check} (${kind}), ${count} x`).join("; ");
}

function doubtOf({ plan, arms, faults, power, notJudged, unknown }: StatusInput): string | undefined {
  if (notJudged.length > 0) {
    return sentence(
      `Not everything was judged: the check ${notJudged.map(({ check }) => check).join(", ")} failed itself`,
    );
  }
  if (unknown.length > 0) return unknown.map(sentence).join(" ");
  const broken = faults.filter(({ error }) => error !== undefined);
  if (broken[0]) {
    const more = broken.length > 1 ? ` (and ${broken.length - 1} more)` : "";
    const { id, name, target, arm, round, error } = broken[0];
    return sentence(
      `The fault ${name} (${id}) on ${target}, ${arm}, round ${round}, ${error}${more}: the run was not what was planned`,
    );
  }
  if (costOnly(plan)) return nothingMeasured(arms, plan);
  if (!arms.some(({ role }) => role === "lock")) return "Only controls ran: there is no lock to judge.";
  if (!power)
    return "There was no control to show that these faults can break anything: run with the control `none` beside the lock.";
  return power.enough ? undefined : powerReason(power, plan);
}

/** A cost is measured on grants. */
function nothingMeasured(arms: readonly ArmResult[], plan: LockPlan): string | undefined {
  const idle = arms.filter(({ role, acquire }) => role === "lock" && acquire.count === 0);
  if (idle.length === 0) return undefined;
  const names = idle.map(({ name }) => name).join(", ");
  if (idle.some(({ jobs }) => jobs.offered > 0)) return `Nothing was measured: ${names} was never granted.`;
  const ranMs = plan.roundMs * plan.rounds.length;
  return `Nothing was measured: no job arrived in ${seconds(ranMs)}. Let some arrive, by a higher --rate or a longer --duration.`;
}

/** Why the run could not have failed, and what would do. */
function powerReason({ concurrentDuplicatesInControl: seen, faultWindows }: Power, plan: LockPlan): string {
  const ranMs = plan.roundMs * plan.rounds.length;
  const needs = `a verdict needs ${ENOUGH.concurrentDuplicates}, over at least ${ENOUGH.faultWindows} fault windows`;
  if (seen === 0) {
    return (
      `The control showed no concurrent duplicate in ${seconds(ranMs)}, so a lock that does nothing would have passed too; ${needs}. ` +
      "More time alone may not do: let the faults or the job times break the control, as `--faults article` does, " +
      `or take job times beyond the visibility timeout of ${seconds(plan.visibilityMs)}.`
    );
  }
  const forCount = ENOUGH.concurrentDuplicates / seen;
  const forWindows = ENOUGH.faultWindows / Math.max(1, faultWindows);
  const needed = Math.ceil((ranMs * Math.max(forCount, forWindows, 1) * MARGIN) / 1000);
  return (
    `The control showed ${seen} concurrent duplicate${seen === 1 ? "" : "s"}, in ${windowsText(faultWindows)}: too few, since ${needs}. ` +
    `At this rate \`--duration ${needed}s\` would do.`
  );
}

/** The rate is known from few: half as long again. */
const MARGIN = 1.5;

function passedReason({ plan, arms, power, bounds }: StatusInput): string {
  if (costOnly(plan)) {
    const tookLonger = arms.some(({ role, jobs }) => role === "control" && jobs.duplicated > 0);
    const why = ` What ran twice without a lock took longer than the visibility timeout of ${seconds(plan.visibilityMs)}, and was delivered again.`;
    return `No faults: this run measures cost only, and says nothing about safety.${tookLonger ? why : ""}`;
  }
  const locks = arms.filter(({ role }) => role === "lock").map(({ name }) => name);
  const windows = Math.min(...bounds.map(({ faultWindows }) => faultWindows.n));
  const bound = Math.max(...bounds.map(({ faultWindows }) => faultWindows.upper95));
  return (
    `No finding against ${locks.join(", ")}, where the control had ${power?.concurrentDuplicatesInControl} concurrent duplicates under the same plan. ` +
    `None in ${windowsText(windows)} means, with 95 % confidence, fewer than ${percent(bound)} of such windows.`
  );
}

export function costOnly({ rounds, load }: LockPlan): boolean {
  return load.kind === "max" || rounds.every(({ faults }) => faults.length === 0);
}

const windowsText = (count: number): string => `${count} fault window${count === 1 ? "" : "s"}`;

function percent(share: number): string {
  return `${(share * 100).toPrecision(2)} %`;
}

function seconds(ms: number): string {
  return `${Number((ms / 1000).toPrecision(3))} s`;
}
