import type { FaultDescription, PlannedFault } from "../../contracts/fault.ts";
import type { LockPlan, PlannedRound } from "../../contracts/lock-plan.ts";
import type { ConfiguredModule, ModuleRef } from "../../contracts/module-ref.ts";
import type { TopologyName } from "../../contracts/topology.ts";
import { expandFaults } from "../../faults/plan-language/expand.ts";
import type { FaultPlan, PlanContext } from "../../faults/plan-language/fault-plan.ts";
import { randomStream } from "../../random-stream.ts";
import { type LockChoice, planArms } from "./arms.ts";
import { planArrivals } from "./arrivals.ts";
import { balancedOrders } from "./order.ts";

/** Everything that a lock experiment is planned from; valid in itself. */
export interface LockExperiment {
  seed: number;
  topology: TopologyName;
  workers: number;
  concurrency: number;
  ttlMs: number;
  renewEveryMs?: number;
  visibilityMs: number;
  claimIntervalMs: number;
  ack: "inside" | "after";
  onSkip: "leave" | "drop";
  fencing: "on" | "off";
  queue: ConfiguredModule;
  /** Absent: on the lock's server, unless a fault would destroy it or there are several nodes. */
  queueOn?: "lock" | "own";
  job: LockPlan["job"];
  commandTimeoutMs?: number;
  rate: { perMinute: number } | "max";
  arrivals: "poisson" | "constant";
  keys: "per-job" | number;
  /** Length of the load of one round, ms. */
  roundMs: number;
  rounds: number;
  locks: readonly LockChoice[];
  /** False: no arms without a lock. Default true. */
  withControl?: boolean;
  /** The module behind both controls. */
  control: ModuleRef;
  /** `auto`: where there are faults; never on servers of somebody else, and never in a benchmark. */
  trace: "auto" | "on" | "off";
  faults: FaultPlan;
  faultContext: PlanContext;
}

/** Decides everything random in a lock experiment. The same experiment always gives the same plan. */
export function makeLockPlan(experiment: LockExperiment): LockPlan {
  const { seed, rate, roundMs, rounds, faultContext } = experiment;
  const costOnly = rate === "max";
  const arms = planArms({ ...experiment, withControl: !costOnly && experiment.withControl !== false });
  const planned = balancedOrders(arms.length, rounds).map((order, index): PlannedRound => {
    const round = index + 1;
    return {
      round,
      order,
      arrivals: costOnly
        ? []
        : planArrivals({ ...experiment, round, perMinute: rate.perMinute, time: experiment.job.time }, (purpose) =>
            randomStream(seed, purpose, round),
          ),
      faults: expandFaults(experiment.faults, faultContext, (entry) => randomStream(seed, "faults", round, entry)),
    };
  });
  const faults = planned.flatMap((round) => round.faults);
  return {
    schema: "harness.plan/1",
    kind: "lock",
    seed,
    topology: experiment.topology,
    workers: experiment.workers,
    concurrency: experiment.concurrency,
    ttlMs: experiment.ttlMs,
    ...(experiment.renewEveryMs === undefined ? {} : { renewEveryMs: experiment.renewEveryMs }),
    visibilityMs: experiment.visibilityMs,
    claimIntervalMs: experiment.claimIntervalMs,
    ack: experiment.ack,
    onSkip: experiment.onSkip,
    fencing: experiment.fencing,
    queue: experiment.queue,
    queueOn: experiment.queueOn ?? queuePlace(experiment, faults),
    job: experiment.job,
    ...(experiment.commandTimeoutMs === undefined ? {} : { commandTimeoutMs: experiment.commandTimeoutMs }),
    load: costOnly
      ? { kind: "max", inFlight: experiment.concurrency }
      : { kind: "open", perMinute: rate.perMinute, arrivals: experiment.arrivals, keys: experiment.keys },
    roundMs,
    arms,
    rounds: planned,
    proxied: faults.length > 0,
    ...(isTraced(experiment, faults) ? { trace: true } : {}),
    ...(experiment.faults.profile === undefined ? {} : { profile: experiment.faults.profile }),
  };
}

/** A trace costs throughput: a run that measures cost has none, and nobody else's server is burdened unasked. */
function isTraced({ trace, rate, topology }: LockExperiment, faults: readonly PlannedFault[]): boolean {
  if (rate === "max") return false;
  return trace === "auto" ? faults.length > 0 && topology !== "external" : trace === "on";
}

function queuePlace({ faultContext, topology }: LockExperiment, faults: readonly PlannedFault[]): "lock" | "own" {
  const descriptions = new Map<string, FaultDescription>(faultContext.faults.map((fault) => [fault.name, fault]));
  const destroyed = faults.some(({ name }) => descriptions.get(name)?.destroysQueue);
  return destroyed || topology === "redlock" || topology === "sentinel" || topology === "replicated" ? "own" : "lock";
}
