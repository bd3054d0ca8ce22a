import { topologyNamed } from "../config/topologies.ts";
import type { LockPlan, PlannedArrival } from "../contracts/lock-plan.ts";
import type { ScenarioPlan } from "../contracts/scenario.ts";
import type { TopologyName } from "../contracts/topology.ts";
import { expandFaults } from "../faults/plan-language/expand.ts";
import { type PlanContext, readFaultPlan } from "../faults/plan-language/fault-plan.ts";
import { faultRegistry } from "../faults/registry.ts";
import { planArrivals } from "../lock/plan/arrivals.ts";
import { randomStream } from "../random-stream.ts";
import type { Cell, MatrixWorkloads } from "./cell.ts";

/** The plan of a cell: a lock run of one arm and one round. Pure: the same cell always gives the same plan. */
export function planOfCell({ lock, scenario, seed }: Cell, workloads: MatrixWorkloads): LockPlan {
  const plan = scenario.plan(lock);
  const topology: TopologyName = plan.topology ?? (lock.capabilities.nodes > 1 ? "redlock" : "single");
  const shape = topologyNamed(topology);
  const context: PlanContext = {
    faults: faultRegistry,
    topology,
    counts: { nodes: shape?.nodes ?? 1, workers: plan.workers, sentinels: shape?.sentinels ?? 0 },
    roundMs: plan.roundMs,
    rounds: 1,
  };
  const faults = expandFaults(
    readFaultPlan({ name: `scenario ${scenario.name}`, text: plan.faults }, context),
    context,
    (entry) => randomStream(seed, "faults", 1, entry),
  );
  const job = workloads.job(plan.job ?? (lock.capabilities.fencing === "none" ? "webhook" : "invoice"));
  const queue = workloads.queue(plan.queue?.name ?? lock.queue ?? "streams");
  const ack = queue.ack.includes(plan.ack ?? "inside") ? (plan.ack ?? "inside") : queue.ack[0]!;
  const options = plan.queue?.options;
  return {
    schema: "harness.plan/1",
    kind: "lock",
    seed,
    topology,
    workers: plan.workers,
    concurrency: plan.concurrency ?? 1,
    ttlMs: plan.ttlMs,
    visibilityMs: plan.visibilityMs,
    claimIntervalMs: plan.claimIntervalMs ?? Math.max(10, Math.round(plan.visibilityMs / 10)),
    ack,
    onSkip: plan.onSkip ?? "leave",
    fencing: "on",
    queue: options === undefined ? queue.module : { ...queue.module, options },
    queueOn: topology === "single" ? (plan.queueOn ?? "own") : "own",
    job: { name: job.name, path: job.path, time: timeOf(plan) },
    ...(plan.commandTimeoutMs === undefined ? {} : { commandTimeoutMs: plan.commandTimeoutMs }),
    load: loadOf(plan),
    roundMs: plan.roundMs,
    arms: [{ name: lock.name, role: "lock", lock: lock.module, look: ack === "inside" }],
    rounds: [{ round: 1, order: [0], arrivals: arrivalsOf(plan, seed), faults }],
    proxied: true,
    trace: true,
  };
}

/** Does the job of this cell write with the lock's fencing token, so that old ones are refused? */
export function isFenced({ lock }: Cell, { job }: LockPlan, workloads: MatrixWorkloads): boolean {
  return lock.capabilities.fencing !== "none" && workloads.job(job.name).needsFencing;
}

function loadOf({ load, roundMs, workers }: ScenarioPlan): LockPlan["load"] {
  if ("cycles" in load) {
    const { inFlight, holdMs, cycles } = load;
    return { kind: "max", inFlight, holdMs, cycles: Math.ceil(cycles / workers) };
  }
  if ("perMinute" in load) {
    return { kind: "open", perMinute: load.perMinute, arrivals: "poisson", keys: load.keys ?? "per-job" };
  }
  const keys = new Set(load.jobs.map(({ key }) => key)).size;
  const perMinute = Math.max(1, Math.round((load.jobs.length * 60_000) / roundMs));
  return { kind: "open", perMinute, arrivals: "constant", keys: Math.max(1, keys) };
}

function timeOf({ load }: ScenarioPlan): LockPlan["job"]["time"] {
  if ("perMinute" in load) return load.time;
  if ("cycles" in load) return { kind: "constant", ms: load.holdMs };
  const times = [...new Set(load.jobs.map(({ forMs }) => forMs))];
  return times.length === 1 ? { kind: "constant", ms: times[0]! } : { kind: "recorded", valuesMs: times };
}

function arrivalsOf({ load, roundMs }: ScenarioPlan, seed: number): PlannedArrival[] {
  if ("cycles" in load) return [];
  if ("perMinute" in load) {
    const { perMinute, time, keys = "per-job" } = load;
    return planArrivals({ round: 1, roundMs, perMinute, arrivals: "poisson", keys, time }, (purpose) =>
      randomStream(seed, purpose, 1),
    );
  }
  return load.jobs
    .map(({ key, atMs, forMs }, index) => ({
      job: `j${index + 1}`,
      key,
      atUs: Math.round(atMs * 1_000),
      durationUs: Math.round(forMs * 1_000),
    }))
    .sort((a, b) => a.atUs - b.atUs);
}
