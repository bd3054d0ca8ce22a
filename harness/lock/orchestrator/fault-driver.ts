import type { PlannedFault } from "../../contracts/fault.ts";
import { messageOf } from "../../errors.ts";
import type { FaultDefinition, FaultField, Injection } from "../../faults/fault.ts";
import type { Journal } from "../journal.ts";
import type { ArmedTrigger, TriggerEvent, TriggerLine } from "../messages.ts";
import { sleepUnlessAborted } from "./abort.ts";

/** Injects and heals the faults of one round of one arm, and writes down when that really happened. */
export interface FaultDriver {
  /** Those that are in force from the beginning: injected before the first job arrives. */
  injectInitial(): Promise<void>;
  /** Starts the clock of all others. `loadStartNs` is ns since the start of the run. */
  start(loadStartNs: number): void;
  /** What a worker must count for the faults that wait for an event. */
  triggersFor(worker: number): ArmedTrigger[];
  /** A worker said that a fault's moment has come. Gives false when nothing waits for it any more. */
  triggered(line: TriggerLine): boolean;
  /** Resolves when every fault has been injected and healed, or has missed its moment. */
  allOver(): Promise<void>;
  /** Heals whatever is in force, now. Never rejects: what could not be healed is in the journal. */
  healAll(): Promise<void>;
  /** Names of the faults in force. */
  active(): string[];
}

export interface FaultDriverOptions {
  faults: readonly PlannedFault[];
  definitionOf(name: string): FaultDefinition;
  field: FaultField;
  journal: Journal;
  /** CLOCK_MONOTONIC at the start of the run, ns. */
  startNs: bigint;
  roundMs: number;
  signal: AbortSignal;
}

export function driveFaults(options: FaultDriverOptions): FaultDriver {
  const { faults, definitionOf, field, journal, startNs, roundMs, signal } = options;
  const inForce = new Map<PlannedFault, Injection>();
  const courses: Promise<void>[] = [];
  const waiting = new Map<string, { fault: PlannedFault; seen: number; come(): void }>();
  let loadStart = 0;
  let over = false;

  const record = (fault: PlannedFault, action: "inject" | "heal", atNs: number, error?: unknown) =>
    journal.record({
      op: "fault",
      phase: "info",
      atNs,
      outcome: action,
      ...(error === undefined ? {} : { error: messageOf(error) }),
      detail: {
        id: fault.id,
        name: fault.name,
        target: fault.targets.join(" "),
        params: fault.parameters,
        action,
        plannedAtMs: fault.trigger.kind === "at" ? fault.trigger.atMs : null,
      },
    });

  async function inject(fault: PlannedFault): Promise<void> {
    try {
      const injection = await definitionOf(fault.name).inject(field, fault);
      inForce.set(fault, injection);
      record(fault, "inject", Number(injection.injectedAtNs - startNs));
    } catch (error) {
      record(fault, "inject", journal.now(), error);
    }
  }

  async function heal(fault: PlannedFault): Promise<void> {
    const injection = inForce.get(fault);
    if (!injection) return;
    inForce.delete(fault);
    try {
      const atNs = await injection.heal?.();
      if (atNs !== undefined) record(fault, "heal", Number(atNs - startNs));
    } catch (error) {
      record(fault, "heal", journal.now(), error);
    }
  }

  /** From its moment to its healing. What has no `for` lasts until the end of the load. */
  async function course(fault: PlannedFault): Promise<void> {
    if (!inForce.has(fault)) await inject(fault);
    const forMs = fault.forMs ?? Math.max(0, roundMs - sinceLoadStartMs());
    if (definitionOf(fault.name).lasts) await sleepUnlessAborted(forMs, signal);
    await heal(fault);
  }

  const sinceLoadStartMs = () => (journal.now() - loadStart) / 1e6;

  async function timed(fault: PlannedFault, atMs: number): Promise<void> {
    await sleepUnlessAborted(atMs - sinceLoadStartMs(), signal);
    if (!signal.aborted) await course(fault);
  }

  /** Waits for its event until the end of the load; a moment that never came is a fault that could not be injected. */
  async function awaited(fault: PlannedFault, afterMs: number): Promise<void> {
    const event = new Promise<"come">((resolve) => {
      waiting.set(fault.id, { fault, seen: 0, come: () => resolve("come") });
    });
    const ended = sleepUnlessAborted(roundMs - sinceLoadStartMs(), signal).then(() => "ended" as const);
    const first = await Promise.race([event, ended]);
    waiting.delete(fault.id);
    if (first === "ended") {
      if (!signal.aborted) record(fault, "inject", journal.now(), "the event that it waits for never came");
      return;
    }
    if (afterMs > 0) await sleepUnlessAborted(afterMs, signal);
    if (!signal.aborted) await course(fault);
  }

  return {
    async injectInitial() {
      for (const fault of faults) {
        if (fault.trigger.kind === "at" && fault.trigger.atMs === 0) await inject(fault);
      }
    },
    start(loadStartNs) {
      loadStart = loadStartNs;
      for (const fault of faults) {
        const { trigger } = fault;
        courses.push(trigger.kind === "at" ? timed(fault, trigger.atMs) : awaited(fault, trigger.afterMs));
      }
    },
    triggersFor(worker) {
      return faults.flatMap((fault) => armedTrigger(fault, worker) ?? []);
    },
    triggered({ faultId }) {
      const entry = waiting.get(faultId);
      if (entry?.fault.trigger.kind !== "on" || over) return false;
      entry.seen += 1;
      // Aimed at workers, each counts for itself and tells once; else this is where they are counted.
      if (aimsAtWorkers(entry.fault) || entry.seen === entry.fault.trigger.nth) entry.come();
      return true;
    },
    async allOver() {
      await Promise.all(courses);
    },
    async healAll() {
      over = true;
      for (const fault of [...inForce.keys()].reverse()) await heal(fault);
    },
    active: () => [...inForce.keys()].map(({ name }) => name),
  };
}

const aimsAtWorkers = (fault: PlannedFault) => fault.targets.every((target) => target.startsWith("worker:"));

function armedTrigger(fault: PlannedFault, worker: number): ArmedTrigger | undefined {
  const { trigger } = fault;
  if (trigger.kind !== "on" || trigger.event === "command") return undefined;
  const event: TriggerEvent = trigger.event;
  if (!aimsAtWorkers(fault)) return { faultId: fault.id, event, nth: 0, stopHere: false };
  if (!fault.targets.includes(`worker:${worker}`)) return undefined;
  // Frozen at that very moment: a stop stays so, a kill strikes while nothing further has happened.
  const stopHere = ["worker-stop", "worker-kill"].includes(fault.name) && trigger.afterMs === 0;
  return { faultId: fault.id, event, nth: trigger.nth, stopHere };
}
