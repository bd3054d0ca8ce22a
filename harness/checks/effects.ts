import type { HistoryEvent } from "../contracts/history.ts";
import { clockErrorNs } from "./clock-error.ts";
import { remember } from "./remember.ts";
import type { Execution, RoundIndex } from "./round-index.ts";

/** What one execution did to the world: its effects, counted once however often a client sent them. */
export interface ExecutionEffect {
  execution: string;
  job: string;
  /** What its worker recorded of it; absent if the journal was lost. */
  steps?: Execution;
  /** The witness's entry, or the worker's own record where the witness was not read. */
  proof: HistoryEvent;
  /** When it was sent. */
  atNs: number;
  /** The work, as far as it is certain: from the grant, or the delivery, to the return of the last effect. */
  startNs: number;
  endNs: number;
}

/**
 * The effects of each job, in the order in which they were sent. The witness's log is the truth; a round that was
 * interrupted before the log was read falls back on what workers were told.
 */
export const effectsByJob = remember(
  (index: RoundIndex): ReadonlyMap<string, readonly ExecutionEffect[]> => readEffects(index),
);

function readEffects(index: RoundIndex): Map<string, ExecutionEffect[]> {
  const byJob = new Map<string, ExecutionEffect[]>();
  const seen = new Set<string>();
  const note = (execution: string, job: string | undefined, proof: HistoryEvent) => {
    if (job === undefined || seen.has(execution)) return;
    seen.add(execution);
    const steps = index.executions.get(execution);
    const effect = describe(steps, execution, job, proof, steps ? clockErrorNs(index, steps) : 0);
    const others = byJob.get(job);
    if (others) others.push(effect);
    else byJob.set(job, [effect]);
  };
  for (const entry of index.witness) {
    if (entry.outcome !== "fenced" && entry.execution !== undefined) note(entry.execution, entry.job, entry);
  }
  if (index.witness.length === 0) {
    for (const { id, job, effects } of index.executions.values()) {
      const told = effects.find(({ end }) => end?.phase === "ok" && end.outcome !== "fenced");
      if (told?.end) note(id, job, told.end);
    }
  }
  for (const effects of byJob.values()) if (effects.length > 1) effects.sort((a, b) => a.atNs - b.atNs);
  return byJob;
}

function describe(
  steps: Execution | undefined,
  execution: string,
  job: string,
  proof: HistoryEvent,
  errorNs: number,
): ExecutionEffect {
  const firstEffect = steps?.effects[0];
  const lastEffect = steps?.effects.at(-1);
  const taken = typeof proof.detail?.atNs === "number" ? proof.detail.atNs : proof.atNs;
  const atNs = (firstEffect?.invoke ?? firstEffect?.end)?.atNs ?? taken;
  const grant = steps?.acquires.find(({ end }) => end?.phase === "ok")?.end;
  return {
    execution,
    job,
    ...(steps ? { steps } : {}),
    proof,
    atNs,
    startNs: ((grant ?? steps?.deliver)?.atNs ?? atNs) + errorNs,
    endNs: Math.max(atNs, (lastEffect?.end ?? lastEffect?.invoke)?.atNs ?? atNs) - errorNs,
  };
}
