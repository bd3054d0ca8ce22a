import type { HistoryEvent } from "../contracts/history.ts";
import { remember } from "./remember.ts";
import type { RoundIndex } from "./round-index.ts";

/** A fault as it happened: from its injection to its healing, monotonic. */
export interface FaultWindow {
  /** `f1`, `f2`, ...: unique within a round. */
  id: string;
  name: string;
  /** As planned, `worker:2`, `node:1`, ...; several are joined by spaces. */
  target: string;
  params: Readonly<Record<string, number | string>>;
  /** ms since the start of the round's load; null: it waited for an event. */
  plannedAtMs: number | null;
  injected?: HistoryEvent;
  healed?: HistoryEvent;
  startNs: number;
  /** The healing. Without one: the start, for a fault of one instant; the end, for one that was still in force then. */
  endNs: number;
  /** Set when it could not be injected or healed. */
  error?: string;
}

/** The faults of an arm's round, in the order of their injection. Those that were never injected are not among them. */
export const faultWindows = remember((index: RoundIndex): readonly FaultWindow[] => readWindows(index));

/** Events of faults that could not be injected: no window opened. */
export function failedInjections(index: RoundIndex): HistoryEvent[] {
  return index.faults.filter((event) => actionOf(event) === "inject" && errorOf(event) !== undefined);
}

/** Do the two intervals share more than a point? An instant inside an interval counts. */
export function intersects(window: { startNs: number; endNs: number }, startNs: number, endNs: number): boolean {
  if (window.startNs === window.endNs || startNs === endNs) return window.startNs <= endNs && window.endNs >= startNs;
  return window.startNs < endNs && window.endNs > startNs;
}

/** Conditions that slow or distort but let everything go on; a window of any other fault may hold things up. */
const CONDITIONS = new Set([
  "latency",
  "jitter",
  "bandwidth",
  "slicer",
  "slow-close",
  "worker-clock",
  "worker-slow",
  "redis-clock",
  "redis-faketime",
]);

/** A pause, a stop, a partition, a kill: something stood still or was cut off in it. */
export function isStall({ name }: { name: string }): boolean {
  return !CONDITIONS.has(name);
}

/** Did this window hold up this worker? Faults of nodes and of the whole network hold up all. */
export function reachesWorker(window: FaultWindow, worker: number): boolean {
  const workers = workersOf(window);
  return workers.length === 0 || workers.includes(worker);
}

/** Did it hold up the server itself, on purpose? */
export function stopsServer({ name, target }: FaultWindow): boolean {
  return isStall({ name }) && (name.startsWith("redis-") || /(^|[, ])node:/.test(target));
}

/** Numbers of the workers that it is aimed at: `worker:2`, `client:1-node:3`. Empty for other targets. */
export function workersOf({ target }: Pick<FaultWindow, "target">): number[] {
  return [...target.matchAll(/(?:worker|client):(\d+)/g)].map((match) => Number(match[1]));
}

/** Numbers of the nodes that it is aimed at. Empty: every node, if it is aimed at nodes at all. */
export function nodesOf({ target }: Pick<FaultWindow, "target">): number[] {
  return [...target.matchAll(/node:(\d+)/g)].map((match) => Number(match[1]));
}

/** The end of the arm's round as far as the history goes, ns. */
export function endOfRoundNs(index: RoundIndex): number {
  return index.armRound.events.at(-1)?.atNs ?? 0;
}

/** The start of the load: what offsets of faults and arrivals count from, ns. */
export function loadStartNs(index: RoundIndex): number {
  return index.milestones.get("load-start")?.atNs ?? index.armRound.events[0]?.atNs ?? 0;
}

function readWindows(index: RoundIndex): FaultWindow[] {
  const windows = new Map<string, FaultWindow>();
  // Once everything was healed, a fault without a healing was one of an instant: there was nothing to undo.
  const unhealedEndNs = index.milestones.has("healed") ? undefined : endOfRoundNs(index);
  for (const event of index.faults) {
    const { id, target } = identityOf(event);
    const slot = `${id} ${target}`;
    const error = errorOf(event);
    if (actionOf(event) === "heal") {
      const window = windows.get(slot);
      if (!window) continue;
      window.healed = event;
      window.endNs = event.atNs;
      if (error !== undefined) window.error = `could not be healed: ${error}`;
    } else if (error === undefined) {
      windows.set(slot, openWindow(event, unhealedEndNs));
    }
  }
  return [...windows.values()].sort((a, b) => a.startNs - b.startNs);
}

function openWindow(event: HistoryEvent, unhealedEndNs: number | undefined): FaultWindow {
  const { id, name, target } = identityOf(event);
  const { params, plannedAtMs, lasts } = event.detail ?? {};
  return {
    id,
    name,
    target,
    params: isParameters(params) ? params : {},
    plannedAtMs: typeof plannedAtMs === "number" ? plannedAtMs : null,
    injected: event,
    startNs: event.atNs,
    endNs: lasts === false ? event.atNs : (unhealedEndNs ?? event.atNs),
  };
}

function identityOf({ detail = {} }: HistoryEvent): { id: string; name: string; target: string } {
  const { id, name, target, targets } = detail;
  const aimedAt = target ?? targets;
  return {
    id: String(id ?? name ?? "?"),
    name: String(name ?? "?"),
    target: Array.isArray(aimedAt) ? aimedAt.join(" ") : String(aimedAt ?? ""),
  };
}

function actionOf({ detail }: HistoryEvent): unknown {
  return detail?.action;
}

function errorOf({ detail, error }: HistoryEvent): string | undefined {
  if (error !== undefined) return error;
  return typeof detail?.error === "string" ? detail.error : undefined;
}

function isParameters(value: unknown): value is Record<string, number | string> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
