import type { FaultRecord, LockResult } from "../../harness/results/lock-schema.ts";
import type { CellFault } from "../../harness/results/matrix-schema.ts";
import { type FaultSpan, workerOf } from "./lanes.ts";

interface Excerpt {
  arm: string;
  evidence: readonly { atNs: number; round: number }[];
}

/**
 * The pauses, stops and cuts that were in force while an excerpt of the history happened, in ms since its first event.
 * Faults of a whole round, such as jitter or a clock's offset, are everybody's all the time and are left out.
 */
export function faultsNear(
  result: Pick<LockResult, "arms" | "faults" | "plan">,
  { arm, evidence }: Excerpt,
): FaultSpan[] {
  const [first] = evidence;
  const round = result.arms.find(({ name }) => name === arm)?.rounds.find((one) => one.round === first?.round);
  if (first === undefined || round?.loadStartNs === undefined) return [];
  const loadStartMs = (round.loadStartNs - first.atNs) / 1e6;
  const endMs = Math.max(...evidence.map(({ atNs }) => (atNs - first.atNs) / 1e6));
  return result.faults
    .filter((fault) => fault.arm === arm && fault.round === first.round && !lastsTheRound(fault, result.plan.roundMs))
    .flatMap(({ name, target, injectedAtMs, healedAtMs }) => {
      if (injectedAtMs === null) return [];
      const fromMs = loadStartMs + injectedAtMs;
      const toMs = healedAtMs === null ? fromMs : loadStartMs + healedAtMs;
      if (toMs < 0 || fromMs > endMs) return [];
      return [{ name, target, worker: workerOf(target), fromMs: Math.max(0, fromMs), toMs: Math.min(endMs, toMs) }];
    });
}

/** The same of a cell of a matrix, whose faults stand beside its evidence. */
export function cellFaultsNear(faults: readonly CellFault[], { evidence }: Pick<Excerpt, "evidence">): FaultSpan[] {
  const [first] = evidence;
  if (first === undefined) return [];
  const endMs = Math.max(...evidence.map(({ atNs }) => (atNs - first.atNs) / 1e6));
  return faults.flatMap(({ name, target, fromNs, toNs }) => {
    const [fromMs, toMs] = [(fromNs - first.atNs) / 1e6, (toNs - first.atNs) / 1e6];
    if (toMs < 0 || fromMs > endMs) return [];
    return [{ name, target, worker: workerOf(target), fromMs: Math.max(0, fromMs), toMs: Math.min(endMs, toMs) }];
  });
}

function lastsTheRound({ injectedAtMs, healedAtMs }: FaultRecord, roundMs: number): boolean {
  return injectedAtMs !== null && healedAtMs !== null && healedAtMs - injectedAtMs > 0.8 * roundMs;
}
