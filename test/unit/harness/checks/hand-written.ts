import type { CheckedRun } from "../../../../harness/contracts/check.ts";
import type { HistoryEvent, Operation, Phase } from "../../../../harness/contracts/history.ts";
import type { LockPlan, PlannedArm } from "../../../../harness/contracts/lock-plan.ts";

/** One line of a hand-written history: time in ms, then what happened. */
export type Line = [atMs: number, op: Operation, phase: Phase, rest?: Partial<HistoryEvent>];

/** What an execution does, times in ms. Parts that are left out did not happen. */
export interface ExecutionScript {
  worker: number;
  job?: string;
  key?: string;
  attempt?: number;
  incarnation?: number;
  deliver?: number;
  acquire?: [invoke: number, ok: number, extra?: Partial<HistoryEvent>];
  extend?: [invoke: number, ok: number, extra?: Partial<HistoryEvent>][];
  effect?: [invoke: number, ok?: number];
  ack?: [invoke: number, ok?: number];
  /** `ack` without an answer, given up at this time. */
  ackUnknown?: number;
  lost?: number;
  release?: [invoke: number, ok?: number];
}

export function planOf(over: Partial<LockPlan> = {}): LockPlan {
  return {
    schema: "harness.plan/1",
    kind: "lock",
    seed: 1,
    topology: "single",
    workers: 3,
    concurrency: 1,
    ttlMs: 1000,
    visibilityMs: 500,
    claimIntervalMs: 100,
    ack: "inside",
    onSkip: "leave",
    fencing: "on",
    queue: { name: "streams", path: "/streams.js" },
    queueOn: "lock",
    job: { name: "webhook", path: "/webhook.js", time: { kind: "constant", ms: 100 } },
    load: { kind: "open", perMinute: 1200, arrivals: "constant", keys: "per-job" },
    roundMs: 10_000,
    arms: [armOf("none", "control"), armOf("set-nx", "lock")],
    rounds: [{ round: 1, order: [0, 1], arrivals: [], faults: [] }],
    proxied: true,
    ...over,
  };
}

export function armOf(name: string, role: PlannedArm["role"]): PlannedArm {
  return { name, role, lock: { name, path: `/${name}.js`, options: {} }, look: true };
}

export const arm = "set-nx";

export function event([atMs, op, phase, rest = {}]: Line, over: Partial<HistoryEvent> = {}): HistoryEvent {
  return { atNs: Math.round(atMs * 1e6), round: 1, arm, op, phase, worker: 0, ...rest, ...over };
}

/** The events of an execution. */
export function execution(script: ExecutionScript): HistoryEvent[] {
  const { worker, job = "j1", key = "k1", attempt = 1, incarnation = 1 } = script;
  const id = `${job}/${attempt}@${worker}.${incarnation}`;
  const of = { worker, incarnation, job, key, attempt, execution: id };
  const lines: Line[] = [];
  const step = (op: Operation, [invoke, ok, extra]: [number, number?, Partial<HistoryEvent>?], outcome?: string) => {
    lines.push([invoke, op, "invoke"]);
    if (ok !== undefined) lines.push([ok, op, "ok", { ...(outcome ? { outcome } : {}), ...extra }]);
  };
  if (script.deliver !== undefined) lines.push([script.deliver, "deliver", "ok"]);
  if (script.acquire) step("acquire", script.acquire, "granted");
  for (const extension of script.extend ?? []) step("extend", extension, "extended");
  if (script.effect) step("effect", script.effect, "first");
  if (script.ack) step("ack", script.ack);
  if (script.ackUnknown !== undefined) lines.push([script.ackUnknown, "ack", "info", { outcome: "unknown" }]);
  if (script.lost !== undefined) lines.push([script.lost, "lost", "info"]);
  if (script.release) step("release", script.release, "released");
  return lines.map((line) => event(line, of));
}

export function fault(
  atMs: number,
  action: "inject" | "heal" | "observed",
  { id = "f1", name, target, ...rest }: { id?: string; name: string; target: string } & Record<string, unknown>,
): HistoryEvent {
  return event([
    atMs,
    "fault",
    "info",
    { detail: { id, name, target, params: {}, plannedAtMs: atMs, action, ...rest } },
  ]);
}

export function worker(
  atMs: number,
  outcome: string,
  who: { worker: number; incarnation?: number; detail?: Record<string, unknown> },
): HistoryEvent {
  return event([atMs, "worker", "info", { outcome, incarnation: 1, ...who }]);
}

export function arrival(job: string, atMs: number, okMs: number | undefined = atMs): HistoryEvent[] {
  const lines: Line[] = [[atMs, "arrive", "invoke", { job, key: `k-${job}`, detail: { plannedAtNs: atMs * 1e6 } }]];
  if (okMs !== undefined) lines.push([okMs, "arrive", "ok", { job, key: `k-${job}` }]);
  return lines.map((line) => event(line));
}

export function witnessed(atMs: number, id: string, rest: Partial<HistoryEvent> = {}): HistoryEvent {
  const job = id.slice(0, id.indexOf("/"));
  return event([atMs, "witness", "info", { execution: id, job, outcome: "accepted", ...rest }]);
}

export function milestone(atMs: number, outcome: string): HistoryEvent {
  return event([atMs, "round", "info", { outcome }]);
}

/** A run of one arm and one round, its events put in order. */
export function runOf(events: readonly HistoryEvent[], plan: Partial<LockPlan> = {}, armName = arm): CheckedRun {
  const ordered = events.map((each) => ({ ...each, arm: armName })).sort((a, b) => a.atNs - b.atNs);
  return { plan: planOf(plan), armRounds: [{ arm: armName, round: 1, events: ordered }] };
}

/** An acquire without a grant: refused, failed, or (as info) indeterminate. Without an end it never came back. */
export function attempt(
  number: number,
  [invoke, end]: [invoke: number, end?: number],
  { outcome = "refused", job = "j1", key = "k1", attempt: nth = 1, reason = undefined as string | undefined } = {},
): HistoryEvent[] {
  const of = { worker: number, incarnation: 1, job, key, attempt: nth, execution: `${job}/${nth}@${number}.1` };
  const lines: Line[] = [[invoke, "acquire", "invoke"]];
  const detail = reason === undefined ? {} : { detail: { reason } };
  if (end !== undefined)
    lines.push([end, "acquire", outcome === "indeterminate" ? "info" : "fail", { outcome, ...detail }]);
  return lines.map((line) => event(line, of));
}

/** The worker is ready, and says what its lock can do. */
export function ready(atMs: number, number: number, capabilities: Record<string, unknown> = {}): HistoryEvent {
  return worker(atMs, "ready", { worker: number, detail: { capabilities } });
}

/** A line of a node's MONITOR. `by`: a client's address, `lua`, or `fault`. */
export function command(
  atMs: number,
  text: string,
  {
    node = 1,
    by = "127.0.0.1:5000",
    key = "k1",
    scriptArgs = undefined as readonly string[] | undefined,
    serverMs = atMs,
  } = {},
): HistoryEvent {
  const [name = "", ...args] = text.split(" ");
  const detail = {
    ...{ kind: "command", node, serverMs, command: name, physicalKey: args[0] ?? "", args, client: by },
    ...(scriptArgs ? { scriptArgs } : {}),
  };
  return event([atMs, "trace", "info", { key, detail }]);
}

/** What the poller of a node read. */
export function polled(
  atMs: number,
  value: string | null,
  pttlMs: number,
  { node = 1, key = "k1" } = {},
): HistoryEvent {
  return event([atMs, "trace", "info", { key, detail: { kind: "state", node, physicalKey: key, value, pttlMs } }]);
}

/** A keyspace event of a node. */
export function keyspace(atMs: number, kind: "expired" | "evicted", { node = 1, key = "k1" } = {}): HistoryEvent {
  return event([atMs, "trace", "info", { key, detail: { kind, node, physicalKey: key } }]);
}

/** The node was not watched for so many ms before this. */
export function blind(atMs: number, forMs: number, node = 1): HistoryEvent {
  return event([atMs, "trace", "info", { detail: { kind: "gap", node, forNs: forMs * 1e6 } }]);
}
