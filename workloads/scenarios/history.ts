import type { ArmRound } from "../../harness/contracts/check.ts";
import type { HistoryEvent } from "../../harness/contracts/history.ts";

/** The time in which a fault was in force, ns since the start of the run. */
export interface Window {
  startNs: number;
  endNs: number;
  /** Number of the worker that it was aimed at, if it was aimed at one. */
  worker: number | undefined;
}

/** The faults of this name as they happened. One that was not healed lasts to the end; one of an instant has no length. */
export function windowsOf({ events }: ArmRound, name: string): Window[] {
  const windows = new Map<string, Window>();
  // Once everything was healed, a fault without a healing was one of an instant.
  const healed = events.some(({ op, outcome }) => op === "round" && outcome === "healed");
  const endNs = events.at(-1)?.atNs ?? 0;
  for (const { op, detail, error, atNs } of events) {
    if (op !== "fault" || detail?.name !== name || error !== undefined) continue;
    const id = String(detail.id);
    const open = windows.get(id);
    if (detail.action === "heal" && open) open.endNs = atNs;
    else if (detail.action === "inject") {
      const worker = /(?:worker|client):(\d+)/.exec(String(detail.target))?.[1];
      windows.set(id, {
        startNs: atNs,
        endNs: healed || detail.lasts === false ? atNs : endNs,
        worker: worker === undefined ? undefined : Number(worker),
      });
    }
  }
  return [...windows.values()];
}

/** A hold as its worker sees it: from the return of acquire to the call of release, the lost signal, or the end. */
export interface Hold extends Window {
  worker: number;
  key: string;
  execution: string;
  /** When its acquire was called. */
  askedNs: number;
}

export function holdsOf({ events }: ArmRound): Hold[] {
  const holds: Hold[] = [];
  const open = new Map<string, Hold>();
  const asked = new Map<string, number>();
  const endNs = events.at(-1)?.atNs ?? 0;
  for (const { op, phase, execution = "", worker, key = "", token, atNs } of events) {
    if (op === "acquire" && phase === "invoke") asked.set(execution, atNs);
    if (op === "acquire" && phase === "ok") {
      const hold = { worker, key, execution, startNs: atNs, endNs, askedNs: asked.get(execution) ?? atNs };
      holds.push(hold);
      open.set(token ?? execution, hold);
    }
    if ((op === "release" && phase === "invoke") || op === "lost") {
      const hold = open.get(token ?? execution);
      if (hold && hold.endNs > atNs) hold.endNs = atNs;
    }
  }
  return holds;
}

/** An operation of the lock, from its call to its return; one that never came back lasts to the end. */
export interface Call extends Window {
  worker: number;
  key: string;
  execution: string;
  outcome: string | undefined;
}

export function callsOf({ events }: ArmRound, operation: "acquire" | "release" | "extend"): Call[] {
  const calls: Call[] = [];
  const open = new Map<string, Call>();
  const endNs = events.at(-1)?.atNs ?? 0;
  for (const { op, phase, execution = "", worker, key = "", outcome, atNs } of events) {
    if (op !== operation) continue;
    if (phase === "invoke") {
      const call: Call = { worker, key, execution, startNs: atNs, endNs, outcome: undefined };
      calls.push(call);
      open.set(execution, call);
      continue;
    }
    const call = open.get(execution);
    if (call) Object.assign(call, { endNs: atNs, outcome });
  }
  return calls;
}

export const overlap = (a: Window, b: Window): boolean => a.startNs <= b.endNs && b.startNs <= a.endNs;

export const lengthMs = ({ startNs, endNs }: Window): number => (endNs - startNs) / 1e6;

/** Events of one kind. */
export function eventsOf({ events }: ArmRound, op: HistoryEvent["op"], outcome?: string): HistoryEvent[] {
  return events.filter((event) => event.op === op && (outcome === undefined || event.outcome === outcome));
}
