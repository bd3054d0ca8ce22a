import type { PlannedFault } from "../../contracts/fault.ts";
import { messageOf } from "../../errors.ts";
import type { FaultDefinition, FaultField, Injection } from "../../faults/fault.ts";
import type { Journal } from "../journal.ts";
import type { ArmedTrigger, TriggerEvent, TriggerLine } from "../messages.ts";
import { sleepUnlessAborted } from "./abort.ts";
import { awaitsCommand, type CommandTrigger, watchForCommand } from "./command-trigger.ts";

/** Injects and heals the faults of one round of one arm, and writes down when that really happened. */
export interface FaultDriver {
  /**
   * Those that are in force from the beginning are injected before the first job arrives; for those that wait for a
   * command, the network is told to watch.
   */
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
  /** True: nothing is locked, so that a command of a lock never comes, and that is no failure. */
  isControl?: boolean;
  signal: AbortSignal;
}

/** A fault that waits for an event. */
interface Waiting {
  fault: PlannedFault;
  seen: number;
  come(): void;
  event: Promise<"come">;
}

export function driveFaults(options: FaultDriverOptions): FaultDriver {
  const { faults, definitionOf, field, journal, startNs, roundMs, isControl = false, signal } = options;
  const inForce = new Map<PlannedFault, Injection>();
  const courses: Promise<void>[] = [];
  const waiting = new Map<string, Waiting>();
  for (const fault of faults) if (fault.trigger.kind === "on") waiting.set(fault.id, waitingFor(fault));
  const watches = new Map<PlannedFault, CommandTrigger>();
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
    await unwatch(fault);
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
    const entry = waiting.get(fault.id);
    const ended = sleepUnlessAborted(roundMs - sinceLoadStartMs(), signal).then(() => "ended" as const);
    const first = await Promise.race([entry?.event, ended]);
    waiting.delete(fault.id);
    if (first === "ended") {
      await unwatch(fault);
      if (signal.aborted || (isControl && awaitsCommand(fault))) return;
      record(fault, "inject", journal.now(), "the event that it waits for never came");
      return;
    }
    if (afterMs > 0) await sleepUnlessAborted(afterMs, signal);
    if (signal.aborted) await unwatch(fault);
    else await course(fault);
  }

  async function watch(fault: PlannedFault, { come }: Waiting): Promise<void> {
    watches.set(fault, await watchForCommand(field.network, fault, come));
  }

  async function unwatch(fault: PlannedFault): Promise<void> {
    const ending = watches.get(fault);
    watches.delete(fault);
    await ending?.end().catch((error: unknown) => record(fault, "heal", journal.now(), error));
  }

  return {
    async injectInitial() {
      for (const fault of faults) {
        if (fault.trigger.kind === "at" && fault.trigger.atMs === 0) await inject(fault);
      }
      for (const entry of waiting.values()) if (awaitsCommand(entry.fault)) await watch(entry.fault, entry);
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
      for (const fault of [...watches.keys()]) await unwatch(fault);
      for (const fault of [...inForce.keys()].reverse()) await heal(fault);
    },
    active: () => [...inForce.keys()].map(({ name }) => name),
  };
}

function waitingFor(fault: PlannedFault): Waiting {
  let come = () => {};
  const event = new Promise<"come">((resolve) => {
    come = () => resolve("come");
  });
  return { fault, seen: 0, come, event };
}

const aimsAtWorkers = (fault: PlannedFault) => fault.targets.every((target) => target.startsWith("worker:"));

function armedTrigger(fault: PlannedFault, worker: number): ArmedTrigger | undefined {
  const { trigger } = fault;
  if (trigger.kind !== "on" || trigger.event === "command" || trigger.event === "extend") return undefined;
  const event: TriggerEvent = trigger.event;
  if (!aimsAtWorkers(fault)) return { faultId: fault.id, event, nth: 0, stopHere: false };
  if (!fault.targets.includes(`worker:${worker}`)) return undefined;
  // Frozen at that very moment: a stop stays so, a kill strikes while nothing further has happened.
  const stopHere = ["worker-stop", "worker-kill"].includes(fault.name) && trigger.afterMs === 0;
  return { faultId: fault.id, event, nth: trigger.nth, stopHere };
}
