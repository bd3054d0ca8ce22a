import type { LockNode } from "../contracts/lock-adapter.ts";
import type { ConfiguredModule, ModuleRef } from "../contracts/module-ref.ts";
import type { ClockChange } from "../faults/fault.ts";
import type { KeyTemplate } from "./trace/key-templates.ts";

/** Everything a worker is told at its start. */
export interface WorkerAssignment {
  worker: number;
  incarnation: number;
  arm: string;
  round: number;
  /** CLOCK_MONOTONIC at the start of the run, ns, decimal. */
  startedAtMonotonicNs: string;
  journalFile: string;
  lock: ModuleRef & { options: Readonly<Record<string, string | number | boolean>> };
  queue: ConfiguredModule;
  job: ModuleRef;
  lockNodes: readonly LockNode[];
  queueNode: LockNode;
  witnessNode: LockNode;
  keyPrefix: string;
  ttlMs: number;
  /** Absent: a lock with manual renewal is not renewed. */
  renewEveryMs?: number;
  visibilityMs: number;
  claimIntervalMs: number;
  concurrency: number;
  commandTimeoutMs?: number;
  look: boolean;
  ack: "inside" | "after";
  onSkip: "leave" | "drop";
  enforceFencing: boolean;
  /** How its connections are marked, so that the proxy knows the worker. */
  mark?: ClientMark;
  /** Saturation instead of jobs: this many acquire and release cycles in flight. */
  saturation?: { inFlight: number; cycles?: number; holdMs?: number };
}

/** By what the proxy tells whose connections they are. */
export type ClientMark =
  /** Those to these loopback ports come from an address of their own. */
  | { localAddress: string; ports: readonly number[] }
  /** Those to each of these ports go to another one instead, which nobody else uses. */
  | { ownPorts: Readonly<Record<number, number>> };

/** A moment that a fault waits for in a worker. */
export interface ArmedTrigger {
  faultId: string;
  event: TriggerEvent;
  /** Counted in this worker from the arming on; 0: tell of every one. */
  nth: number;
  /** The worker stops itself at that very moment, before anything else runs. */
  stopHere: boolean;
}

export type TriggerEvent = "grant" | "release" | "effect";

export type ToWorker =
  /** Load what the assignment names; connect to nothing yet. */
  | { type: "assign"; assignment: WorkerAssignment }
  /** Make the lock, connect. */
  | { type: "connect" }
  /** Take jobs. */
  | { type: "go"; triggers: readonly ArmedTrigger[] }
  | { type: "clock"; id: number; change: ClockChange }
  | { type: "block"; durationMs: number }
  | { type: "burden"; id: number; threads: number }
  | { type: "ping"; id: number }
  /**
   * Take no more jobs, end those that run, close everything, exit; or, with `stays`, be ready for another assignment, if
   * nothing is left of the old one.
   */
  | { type: "finish"; stays?: boolean };

export type FromWorker =
  | { type: "loaded" }
  /** How the lock spells its keys; null: it does not spell them out, so that nothing can be traced. */
  | { type: "ready"; keys: readonly KeyTemplate[] | null }
  /** The worker cannot do its work: the adapter threw, or broke its contract. */
  | { type: "refused"; reason: string }
  /** The lock answered what its contract does not know. */
  | { type: "breach"; reason: string }
  | { type: "done"; id: number }
  | { type: "finished"; stays: boolean };

/** A line on the trigger pipe: written synchronously, so that it is there even if the worker stops right after. */
export interface TriggerLine {
  faultId: string;
  event: TriggerEvent;
  atNs: number;
  /** The worker stops itself right after this line. */
  stopsHere: boolean;
}
