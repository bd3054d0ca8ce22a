import type { ArmRound } from "./check.ts";
import type { LockCapabilities } from "./lock-adapter.ts";
import type { JobTime, LockPlan } from "./lock-plan.ts";
import type { LockFamily } from "./module-ref.ts";
import type { TopologyName } from "./topology.ts";

/** A lock as a scenario knows it before it runs. */
export interface ScenarioLock {
  name: string;
  family: LockFamily;
  capabilities: LockCapabilities;
  /** The one queue that it goes with: for a queue's own lock. */
  queue?: string;
}

/** A job of a scenario. All times are ms; `atMs` counts from the start of the load. */
export interface ScenarioJob {
  /** The lock's key. */
  key: string;
  atMs: number;
  forMs: number;
}

/** A run of one lock, some seconds long, without a control: the reach conditions take its place. */
export interface ScenarioPlan {
  /** Absent: one server, or independent servers for a lock that needs several. */
  topology?: Extract<TopologyName, "replicated" | "sentinel">;
  workers: number;
  /** Jobs that one worker handles at once. Default: 1. */
  concurrency?: number;
  ttlMs: number;
  /** A job that was refused, or not acknowledged, comes again after this time. */
  visibilityMs: number;
  /** Default: a tenth of the visibility timeout. */
  claimIntervalMs?: number;
  /** Default: inside, or the order that the queue can have. */
  ack?: LockPlan["ack"];
  /** Default: leave. */
  onSkip?: LockPlan["onSkip"];
  /** Default: the lock's own queue, else streams. */
  queue?: { name: string; options?: Readonly<Record<string, number>> };
  /** Default: a server of its own, which no fault touches. */
  queueOn?: LockPlan["queueOn"];
  /** By name. Default: invoice for a lock with fencing tokens, which old ones are refused by; else webhook. */
  job?: string;
  /** Limit of the lock's client for one Redis command. Absent: the client's default, often none. */
  commandTimeoutMs?: number;
  /** Each job by itself, a stream of jobs with keys of their own, or as many acquire and release cycles as it takes. */
  load:
    | { jobs: readonly ScenarioJob[] }
    | { perMinute: number; time: JobTime; keys?: number }
    | { cycles: number; inFlight: number; holdMs: number };
  /** In the plan language; empty: nothing goes wrong. */
  faults: string;
  roundMs: number;
}

/** Something that must have come about, or the scenario says nothing about the lock. */
export interface ReachCondition {
  /** As in "not reached: ...": `a worker stood still within its hold`. */
  name: string;
  /** Pure, from the history of the run. */
  reached(round: ArmRound, plan: LockPlan): boolean;
}

/** A finding that the scenario itself brings about, and that says nothing against a lock here. */
export interface Premise {
  check: string;
  class: string;
  /** Why it does not count, without a full stop at the end. */
  why: string;
}

/** A situation that locks are put into: named, some seconds long, and with a word on what a correct lock shows in it. */
export interface Scenario {
  name: string;
  /** One sentence, without a full stop at the end. */
  summary: string;
  /** What a correct lock shows, one sentence, without a full stop at the end. */
  correctLock: string;
  /** Why it has nothing to say about this lock: `it needs a lock that renews itself`. Undefined: it applies. */
  notApplicable?(lock: ScenarioLock): string | undefined;
  plan(lock: ScenarioLock): ScenarioPlan;
  reach: readonly ReachCondition[];
  premises?: readonly Premise[];
  /** How much of a machine it takes, where one that mostly waits takes 1. */
  weight?: number;
}
