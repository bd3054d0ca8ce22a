import type { CheckOutcome } from "../checks/registry.ts";
import type { ArmRound, Finding } from "../contracts/check.ts";
import type { LockPlan, PlannedArm } from "../contracts/lock-plan.ts";
import { adviceOf } from "./advice.ts";
import { figuresOf, sum } from "./arm-figures.ts";
import { faultRecordsOf, type LookOf } from "./fault-records.ts";
import type { ArmResult, LockResult } from "./lock-schema.ts";
import { boundsOf, powerOf } from "./power.ts";
import { factsOf, type RoundFacts } from "./round-facts.ts";
import { seriesOf, seriesStepMs } from "./series.ts";
import { costOnly, statusOf } from "./status.ts";

/** What a result says that neither the plan nor the history knows. */
export interface LockRunMeta
  extends Pick<LockResult, "id" | "startedAt" | "durationMs" | "argv" | "config" | "replay" | "tool" | "environment"> {
  /** File name of the plan in the run folder, and the hash of its text. */
  plan: { file: string; sha256: string; faultsText: string };
  warnings?: readonly string[];
  /** Why the run was cut short, if it was. */
  interrupted?: string;
  /** What makes the run unknown besides faults and power, as sentences. */
  unknown?: readonly string[];
  /** Which checks judged, and which threw: as `runChecks` gives it. */
  checks?: Pick<CheckOutcome, "judged" | "notJudged">;
  /** How a fault looks on charts. */
  lookOf: LookOf;
}

/** How the warning of a check that threw begins. */
export const OWN_FAILURE = "A check failed itself:";

export interface LockRun {
  plan: LockPlan;
  armRounds: readonly ArmRound[];
  findings: readonly Finding[];
  meta: LockRunMeta;
}

/** The result of a lock run: pure, from plan, history and findings. */
export function assembleLockResult({ plan, armRounds, findings, meta }: LockRun): LockResult {
  const facts = armRounds.map((armRound) => factsOf(armRound, plan));
  const arms = plan.arms.map((arm) =>
    armResultOf(
      arm,
      facts.filter((each) => each.arm === arm.name),
      plan,
    ),
  );
  const faults = faultRecordsOf(armRounds, plan, meta.lookOf);
  const control = plan.arms.find(({ role, look }) => role === "control" && look) ?? plan.arms.find(isControl);
  const roundsOf = ({ name }: PlannedArm) => facts.filter(({ arm }) => arm === name).map(({ index }) => index);
  const power = control && !costOnly(plan) ? powerOf(roundsOf(control)) : null;
  const bounds = plan.arms.filter((arm) => !isControl(arm)).map((arm) => boundsOf(arm.name, roundsOf(arm)));
  const { id, startedAt, durationMs, argv, config, replay, tool, environment, warnings = [] } = meta;
  const { checks: { judged, notJudged } = { judged: undefined, notJudged: [] }, unknown = [], interrupted } = meta;
  return {
    schema: "harness.result/1",
    kind: "lock",
    id,
    startedAt,
    durationMs,
    ...statusOf({
      ...{ plan, arms, findings, faults, power, bounds, notJudged, unknown },
      ...(interrupted === undefined ? {} : { interrupted }),
    }),
    seed: plan.seed,
    argv,
    config,
    replay,
    tool,
    environment,
    topology: plan.topology,
    plan: {
      ...meta.plan,
      profile: plan.profile ?? null,
      roundMs: plan.roundMs,
      rounds: plan.rounds.length,
    },
    ...(judged ? { checks: judged } : {}),
    findings: findings.map((finding) => ({ ...finding, evidence: finding.evidence.map((event) => ({ ...event })) })),
    faults,
    arms,
    power,
    bounds,
    advice: adviceOf(facts, findings, plan),
    removed: removedOf(arms, plan),
    warnings: [...warnings, ...notJudged.map(({ check, error }) => `${OWN_FAILURE} ${check}: ${error}`)],
    ...(unknown.length > 0 ? { doubts: [...unknown] } : {}),
  };
}

function armResultOf(arm: PlannedArm, facts: readonly RoundFacts[], plan: LockPlan): ArmResult {
  const stepMs = seriesStepMs(sum(facts, ({ loadNs }) => loadNs) / 1e6);
  return {
    name: arm.name,
    lock: arm.lock.name,
    role: arm.role,
    ...(arm.changedDefaults ? { changedDefaults: arm.changedDefaults.map((each) => ({ ...each })) } : {}),
    ...figuresOf(facts, plan),
    rounds: facts.map((each) => ({
      round: each.round,
      loadStartNs: each.loadStartNs,
      ...figuresOf([each], plan),
    })),
    seriesStepMs: stepMs,
    series: facts.flatMap((each) => seriesOf(each, stepMs)),
  };
}

/** What the look removed (literal control - control that looks), and what each lock removed (control - lock). */
function removedOf(arms: readonly ArmResult[], plan: LockPlan): LockResult["removed"] {
  const duplicated = (accept: (arm: PlannedArm) => boolean) => {
    const planned = plan.arms.find(accept);
    return arms.find(({ name }) => name === planned?.name)?.jobs.duplicated;
  };
  const looking = duplicated((arm) => isControl(arm) && arm.look);
  const literal = duplicated((arm) => isControl(arm) && !arm.look);
  const base = looking ?? literal;
  const locks = arms.filter(({ role }) => role === "lock");
  return {
    byLook: looking === undefined || literal === undefined ? null : literal - looking,
    byLock: base === undefined ? [] : locks.map(({ name, jobs }) => ({ arm: name, jobs: base - jobs.duplicated })),
  };
}

function isControl({ role }: PlannedArm): boolean {
  return role === "control";
}
