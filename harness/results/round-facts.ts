import { type Belief, beliefsOf } from "../checks/beliefs.ts";
import { differingRows } from "../checks/differing-rows.ts";
import { duplicatesOf } from "../checks/duplicates.ts";
import { effectsByJob } from "../checks/effects.ts";
import { fatesOf, lostUpdatesOf } from "../checks/lost-work.ts";
import { type Execution, indexRound, type Operated, type RoundIndex } from "../checks/round-index.ts";
import {
  endOfRoundNs,
  faultWindows,
  intersects,
  isStall,
  loadStartNs,
  reachesWorker,
  stopsServer,
} from "../checks/windows.ts";
import type { ArmRound } from "../contracts/check.ts";
import type { LockPlan } from "../contracts/lock-plan.ts";
import type { Start } from "../measure/starts.ts";
import { contentionOf, type RoundContention } from "./contention.ts";

/** What one round of one arm showed, before it becomes figures. Times in ns since the start of the run. */
export interface RoundFacts {
  arm: string;
  round: number;
  index: RoundIndex;
  loadStartNs: number;
  /** Length of the load. */
  loadNs: number;
  offered: number;
  executed: number;
  dropped: number;
  lost: number;
  lostUpdates: number | undefined;
  /** Rows that an idempotent job left with different values. Undefined: the job is not idempotent. */
  harmedRows: number | undefined;
  duplicated: number;
  concurrent: number;
  /** Inherent ones included. */
  sequential: number;
  inherent: number;
  maxExecutionsOfOneJob: number;
  skipped: number;
  refusedDeliveries: number;
  crashes: number;
  /** Jobs whose work was completed during the load. */
  achieved: number;
  cycles: number;
  acquires: readonly TimedValue[];
  acquiresOutsideFaults: readonly number[];
  responsesNs: readonly number[];
  servicesNs: readonly number[];
  starts: readonly Start[];
  /** Grant to the call of release, of executions that had their effect, ms. */
  holdsMs: readonly number[];
  jobsPerKey: readonly number[];
  /** When each executed job was completed: its first acknowledgement, or else its effect. */
  completedNs: readonly number[];
  /** When effects beyond a job's first were sent. */
  repeatedNs: readonly number[];
  /** Undefined: of a control, or of a saturation run. */
  contention: RoundContention | undefined;
}

/** A duration and the moment at which it ended. */
export interface TimedValue {
  atNs: number;
  tookNs: number;
}

export function factsOf(armRound: ArmRound, plan: LockPlan): RoundFacts {
  const index = indexRound(armRound);
  const executions = [...index.executions.values()];
  const duplicates = duplicatesOf(index);
  const effects = effectsByJob(index);
  const fates = fatesOf(index);
  const load = loadOf(index, plan);
  const loadEndNs = load.startNs + load.lengthNs;
  const acks = firstAcks(executions);
  const completedNs = [...effects].map(([job, [first]]) => acks.get(job) ?? first!.endNs);
  const acquires = acquiresOf(executions);
  const concurrent = duplicates.filter((duplicate) => duplicate.class === "concurrent").length;
  return {
    arm: armRound.arm,
    round: armRound.round,
    index,
    loadStartNs: load.startNs,
    loadNs: load.lengthNs,
    offered: fates.executed.size + fates.dropped.size + fates.lost.size,
    executed: fates.executed.size,
    dropped: fates.dropped.size,
    lost: fates.lost.size,
    lostUpdates: index.witness.some(({ detail }) => detail?.document !== undefined)
      ? lostUpdatesOf(index).length
      : undefined,
    harmedRows: plan.job.idempotent ? differingRows(index).length : undefined,
    duplicated: duplicates.length,
    concurrent,
    sequential: duplicates.length - concurrent,
    inherent: duplicates.filter((duplicate) => duplicate.class === "inherent").length,
    maxExecutionsOfOneJob: duplicates.reduce(
      (max, each) => Math.max(max, each.effects.length),
      Math.min(1, effects.size),
    ),
    skipped: executions.filter((execution) => execution.acquires.some(isRefused)).length,
    refusedDeliveries: executions.filter(({ looks }) => looks.some(({ end }) => end?.outcome === "stale")).length,
    crashes: armRound.events.filter(({ op, outcome }) => op === "worker" && outcome === "crashed").length,
    achieved: completedNs.filter((atNs) => atNs <= loadEndNs).length,
    cycles: executions.reduce((sum, { releases }) => sum + releases.length, 0),
    acquires,
    acquiresOutsideFaults: outsideStalls(index, acquires),
    responsesNs: responses(index, acks),
    servicesNs: executions.flatMap(serviceOf),
    starts: startsOf(index, executions, load.startNs),
    holdsMs: holdsOf(index),
    jobsPerKey: jobsPerKeyOf(index),
    completedNs,
    repeatedNs: duplicates.flatMap((duplicate) => duplicate.effects.slice(1).map(({ atNs }) => atNs)),
    contention: isContended(armRound, plan) ? contentionOf(index, plan) : undefined,
  };
}

function isContended({ arm }: ArmRound, { arms, load }: LockPlan): boolean {
  return load.kind !== "max" && arms.some(({ name, role }) => name === arm && role === "lock");
}

/** The load as it was; of a round that was cut short, as far as it came. */
function loadOf(index: RoundIndex, plan: LockPlan): { startNs: number; lengthNs: number } {
  const startNs = loadStartNs(index);
  const end = index.milestones.get("load-end");
  const cutShort = Math.min(plan.roundMs * 1e6, Math.max(0, endOfRoundNs(index) - startNs));
  return { startNs, lengthNs: end ? end.atNs - startNs : cutShort };
}

function isRefused({ end }: Operated): boolean {
  return end?.phase === "fail" && end.outcome === "refused";
}

interface TimedAcquire extends TimedValue {
  worker: number;
}

function acquiresOf(executions: readonly Execution[]): TimedAcquire[] {
  const acquires: TimedAcquire[] = [];
  for (const { worker, acquires: operations } of executions) {
    for (const { invoke, end } of operations) {
      const toldNs = end?.detail?.tookNs;
      const tookNs = typeof toldNs === "number" ? toldNs : invoke && end && end.atNs - invoke.atNs;
      if (end && tookNs !== undefined) acquires.push({ atNs: end.atNs, tookNs, worker });
    }
  }
  return acquires;
}

/** Acquisitions that no pause, stop or cut touched: neither the servers nor, if it was aimed at workers, their own. */
function outsideStalls(index: RoundIndex, acquires: readonly TimedAcquire[]): number[] {
  const stalls = faultWindows(index).filter(isStall);
  return acquires
    .filter(
      ({ atNs, tookNs, worker }) =>
        !stalls.some((window) => reachesWorker(window, worker) && intersects(window, atNs - tookNs, atNs)),
    )
    .map(({ tookNs }) => tookNs);
}

function firstAcks(executions: readonly Execution[]): Map<string, number> {
  const first = new Map<string, number>();
  for (const { job, acks } of executions) {
    const confirmed = job === undefined ? undefined : acks.find(({ end }) => end?.phase === "ok")?.end;
    if (!confirmed) continue;
    first.set(job!, Math.min(confirmed.atNs, first.get(job!) ?? Number.POSITIVE_INFINITY));
  }
  return first;
}

function firstDeliveries(executions: readonly Execution[]): Map<string, number> {
  const first = new Map<string, number>();
  for (const { job, deliver } of executions) {
    if (job === undefined || !deliver) continue;
    first.set(job, Math.min(deliver.atNs, first.get(job) ?? Number.POSITIVE_INFINITY));
  }
  return first;
}

function plannedNs({ invoke, end }: Operated): number | undefined {
  const planned = (invoke ?? end)?.detail?.plannedAtNs;
  return typeof planned === "number" ? planned : (invoke ?? end)?.atNs;
}

/** When each job was to arrive. */
export function plannedArrivalsNs(index: RoundIndex): number[] {
  return [...index.arrivals.values()].flatMap((arrival) => plannedNs(arrival) ?? []);
}

function responses(index: RoundIndex, acks: ReadonlyMap<string, number>): number[] {
  const took: number[] = [];
  for (const [job, arrival] of index.arrivals) {
    const [from, to] = [plannedNs(arrival), acks.get(job)];
    if (from !== undefined && to !== undefined) took.push(to - from);
  }
  return took;
}

function serviceOf({ deliver, acks }: Execution): number[] {
  const confirmed = acks.find(({ end }) => end?.phase === "ok")?.end;
  return deliver && confirmed ? [confirmed.atNs - deliver.atNs] : [];
}

/** A job has been added when the queue confirms it, or when a worker has it, which may be known sooner. */
function startsOf(index: RoundIndex, executions: readonly Execution[], startNs: number): Start[] {
  const stopped = faultWindows(index).filter(stopsServer);
  const delivered = firstDeliveries(executions);
  return [...index.arrivals].map(([job, arrival]) => {
    const planned = plannedNs(arrival) ?? startNs;
    const confirmedNs = arrival.end?.phase === "ok" ? arrival.end.atNs : Number.POSITIVE_INFINITY;
    const addedNs = Math.min(confirmedNs, delivered.get(job) ?? Number.POSITIVE_INFINITY);
    return {
      plannedNs: planned,
      ...(addedNs < Number.POSITIVE_INFINITY ? { addedNs } : {}),
      inFault: stopped.some((window) => intersects(window, planned, planned)),
    };
  });
}

function holdsOf(index: RoundIndex): number[] {
  const worked = ({ execution, endedBy }: Belief) =>
    (endedBy === "release" || endedBy === "gave up") && execution.effects.length > 0;
  return beliefsOf(index)
    .filter(worked)
    .map(({ startNs, endNs }) => (endNs - startNs) / 1e6);
}

function jobsPerKeyOf(index: RoundIndex): number[] {
  const jobs = new Map<string, number>();
  for (const { invoke, end } of index.arrivals.values()) {
    const key = (invoke ?? end)?.key;
    if (key !== undefined) jobs.set(key, (jobs.get(key) ?? 0) + 1);
  }
  return [...jobs.values()];
}
