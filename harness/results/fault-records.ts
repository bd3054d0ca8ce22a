import { indexRound, type RoundIndex } from "../checks/round-index.ts";
import { type FaultWindow, failedInjections, faultWindows, loadStartNs } from "../checks/windows.ts";
import type { ArmRound } from "../contracts/check.ts";
import type { PlannedFault } from "../contracts/fault.ts";
import type { HistoryEvent } from "../contracts/history.ts";
import type { LockPlan } from "../contracts/lock-plan.ts";
import type { FaultRecord } from "./lock-schema.ts";
import { recoveryOf } from "./recovery.ts";

export type LookOf = (faultName: string) => { colour: string; pattern: string };

/** Every fault of the rounds that ran: as it happened, or that it did not. */
export function faultRecordsOf(armRounds: readonly ArmRound[], plan: LockPlan, lookOf: LookOf): FaultRecord[] {
  return armRounds.flatMap((armRound) => {
    const index = indexRound(armRound);
    const startNs = loadStartNs(index);
    const windows = faultWindows(index);
    const planned = plan.rounds.find(({ round }) => round === armRound.round)?.faults ?? [];
    const happened = windows.map((window) => ({
      ...ofWindow(window, startNs, planned),
      ...recoveryOf(window, index),
    }));
    const failed = failedInjections(index).map(ofFailure);
    const named = new Set([...happened, ...failed].map(({ id }) => id));
    const isControl = plan.arms.some(({ name, role }) => name === armRound.arm && role === "control");
    const isNoMatter = ({ trigger }: PlannedFault) =>
      // The commands of a lock never come where nothing is locked.
      wasCutShort(index) || (isControl && trigger.kind === "on" && ["command", "extend"].includes(trigger.event));
    const missed = planned.filter(({ id }) => !named.has(id)).map((fault) => ofMissed(fault, isNoMatter(fault)));
    return [...happened, ...failed, ...missed].map((record) => ({
      ...record,
      arm: armRound.arm,
      round: armRound.round,
      look: lookOf(record.name),
    }));
  });
}

/** A record without what it shares with all others of its round. */
type FaultFacts = Omit<FaultRecord, "arm" | "round" | "look">;

function ofWindow(window: FaultWindow, startNs: number, planned: readonly PlannedFault[]): FaultFacts {
  const { id, name, target, params, plannedAtMs, startNs: injectedNs, healed, error } = window;
  const unhealed = planned.some((fault) => fault.id === id && fault.forMs !== undefined) && !healed;
  const problem = error ?? (unhealed ? "was never healed" : undefined);
  return {
    id,
    name,
    target,
    params: { ...params },
    plannedAtMs,
    injectedAtMs: (injectedNs - startNs) / 1e6,
    healedAtMs: healed ? (healed.atNs - startNs) / 1e6 : null,
    ...(problem === undefined ? {} : { error: problem }),
  };
}

function ofFailure({ detail = {}, error }: HistoryEvent): FaultFacts {
  const { id, name, target, params, plannedAtMs } = detail;
  return {
    id: String(id),
    name: String(name),
    target: Array.isArray(target) ? target.join(" ") : String(target ?? ""),
    params: { ...(params as FaultRecord["params"] | undefined) },
    plannedAtMs: typeof plannedAtMs === "number" ? plannedAtMs : null,
    injectedAtMs: null,
    healedAtMs: null,
    error: `could not be injected: ${error ?? String(detail.error)}`,
  };
}

function ofMissed({ id, name, targets, parameters, trigger }: PlannedFault, isNoMatter: boolean): FaultFacts {
  const waited =
    trigger.kind === "at"
      ? `was never injected, though planned at ${trigger.atMs} ms`
      : `never came about: it waited for number ${trigger.nth} of ${trigger.command ?? trigger.event}`;
  return {
    id,
    name,
    target: targets.join(" "),
    params: { ...parameters },
    plannedAtMs: trigger.kind === "at" ? trigger.atMs : null,
    injectedAtMs: null,
    healedAtMs: null,
    ...(isNoMatter ? {} : { error: waited }),
  };
}

function wasCutShort({ milestones }: RoundIndex): boolean {
  return !milestones.has("drained") && !milestones.has("gave-up");
}
