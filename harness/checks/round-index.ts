import type { ArmRound } from "../contracts/check.ts";
import type { HistoryEvent } from "../contracts/history.ts";
import { remember } from "./remember.ts";

/** An operation: its call, and what became of it. Either may be missing, after a kill or in a lean benchmark journal. */
export interface Operated {
  invoke?: HistoryEvent;
  /** The last word on it. Absent: it never returned. */
  end?: HistoryEvent;
}

/** Everything one execution (a delivery to a worker) did, each list in the order of time. */
export interface Execution {
  id: string;
  worker: number;
  incarnation: number;
  job?: string;
  key?: string;
  deliver?: HistoryEvent;
  acquires: readonly Operated[];
  looks: readonly Operated[];
  extends: readonly Operated[];
  effects: readonly Operated[];
  acks: readonly Operated[];
  releases: readonly Operated[];
  lost: readonly HistoryEvent[];
  skips: readonly HistoryEvent[];
  /** Its last event of any kind. */
  last: HistoryEvent;
}

/** One process that played a worker. */
export interface Incarnation {
  worker: number;
  incarnation: number;
  started?: HistoryEvent;
  ready?: HistoryEvent;
  stopping?: HistoryEvent;
  /** How it ended, if it did: `exited`, `crashed` or `killed`. */
  ended?: HistoryEvent;
  /** `killed`: stamped before the signal was sent. */
  killed?: HistoryEvent;
  /** The last event that the process itself wrote. */
  lastOwn?: HistoryEvent;
  /** By how much its times may be wrong at most, ns. Absent: it has the orchestrator's own clock. */
  clockErrorNs?: number;
}

/** The events of one arm in one round, sorted into what the checks ask for. Built once, in one pass. */
export interface RoundIndex {
  armRound: ArmRound;
  /** By execution id, in the order of their first events. */
  executions: ReadonlyMap<string, Execution>;
  /** By job. */
  arrivals: ReadonlyMap<string, Operated>;
  /** By `<worker>.<incarnation>`. */
  incarnations: ReadonlyMap<string, Incarnation>;
  faults: readonly HistoryEvent[];
  /** The witness's log, in its order. */
  witness: readonly HistoryEvent[];
  samples: readonly HistoryEvent[];
  trace: readonly HistoryEvent[];
  /** By outcome: `load-start`, `load-end`, `healed`, `drained`, `gave-up`. */
  milestones: ReadonlyMap<string, HistoryEvent>;
}

/** The index of an arm's round. Kept as long as the round itself, so that every check shares it. */
export const indexRound = remember((armRound: ArmRound): RoundIndex => buildIndex(armRound));

type Building<Shape> = { -readonly [Name in keyof Shape]: Shape[Name] };
type ExecutionDraft = Building<Execution>;

const NONE: readonly never[] = [];

function buildIndex(armRound: ArmRound): RoundIndex {
  const executions = new Map<string, ExecutionDraft>();
  const arrivals = new Map<string, Operated>();
  const incarnations = new Map<string, Incarnation>();
  const milestones = new Map<string, HistoryEvent>();
  const faults: HistoryEvent[] = [];
  const witness: HistoryEvent[] = [];
  const samples: HistoryEvent[] = [];
  const trace: HistoryEvent[] = [];
  const holders = new Map<string, string>();

  for (const event of armRound.events) {
    switch (event.op) {
      case "witness":
        witness.push(event);
        continue;
      case "fault":
        faults.push(event);
        continue;
      case "trace":
        trace.push(event);
        continue;
      case "round":
        if (event.outcome !== undefined && !milestones.has(event.outcome)) milestones.set(event.outcome, event);
        continue;
      case "arrive":
        if (event.job !== undefined) noteArrival(arrivals, event.job, event);
        continue;
      case "worker":
        noteWorker(incarnationOf(incarnations, event), event);
        continue;
      case "sample":
        samples.push(event);
        break;
      default:
        noteStep(executions, event.execution ?? holderOf(holders, event), event);
        if (event.op === "acquire" && event.phase === "ok" && event.token !== undefined) {
          holders.set(holdName(event), event.execution ?? standIn(event));
        }
    }
    if (event.worker > 0) incarnationOf(incarnations, event).lastOwn = event;
  }
  return { armRound, executions, arrivals, incarnations, faults, witness, samples, trace, milestones };
}

function noteArrival(arrivals: Map<string, Operated>, job: string, event: HistoryEvent): void {
  const arrival = arrivals.get(job);
  if (!arrival) arrivals.set(job, event.phase === "invoke" ? { invoke: event } : { end: event });
  else if (event.phase === "invoke") arrival.invoke ??= event;
  else if (arrival.end?.phase !== "ok") arrival.end = event;
}

/** The orchestrator may write of a worker under its own number 0; the worker is then named in the detail. */
function incarnationOf(incarnations: Map<string, Incarnation>, event: HistoryEvent): Incarnation {
  const worker = event.worker > 0 ? event.worker : numberOr(event.detail?.worker, 0);
  const incarnation = event.incarnation ?? numberOr(event.detail?.incarnation, 1);
  const id = `${worker}.${incarnation}`;
  let known = incarnations.get(id);
  if (!known) {
    known = { worker, incarnation };
    incarnations.set(id, known);
  }
  return known;
}

function noteWorker(incarnation: Incarnation, event: HistoryEvent): void {
  switch (event.outcome) {
    case "started":
      incarnation.started ??= event;
      break;
    case "ready":
      // Said by the process itself, with what its lock can do, and by the orchestrator.
      if (!incarnation.ready?.detail?.capabilities) incarnation.ready = event;
      break;
    case "stopping":
      incarnation.stopping ??= event;
      break;
    case "killed":
      incarnation.killed ??= event;
      incarnation.ended ??= event;
      break;
    case "exited":
    case "crashed":
      incarnation.ended ??= event;
      break;
    case "clock":
      incarnation.clockErrorNs = Math.max(incarnation.clockErrorNs ?? 0, numberOr(event.detail?.boundNs, 0));
      break;
  }
}

/** A lost signal names the token only: its execution is the one that was granted it. */
function holderOf(holders: ReadonlyMap<string, string>, event: HistoryEvent): string {
  return (event.token !== undefined && holders.get(holdName(event))) || standIn(event);
}

function holdName({ key, token, worker, incarnation = 1 }: HistoryEvent): string {
  return `${worker}.${incarnation} ${key} ${token}`;
}

/** Where there are no deliveries, as in the saturation benchmark, a key of its own stands for the execution. */
function standIn({ key, worker, incarnation = 1 }: HistoryEvent): string {
  return `${key}@${worker}.${incarnation}`;
}

function noteStep(executions: Map<string, ExecutionDraft>, id: string, event: HistoryEvent): void {
  let execution = executions.get(id);
  if (!execution) {
    execution = draft(id, event);
    executions.set(id, execution);
  }
  if (execution.key === undefined && event.key !== undefined) execution.key = event.key;
  if (execution.job === undefined && event.job !== undefined) execution.job = event.job;
  execution.last = event;
  switch (event.op) {
    case "deliver":
      execution.deliver ??= event;
      break;
    case "acquire":
      execution.acquires = noteOperation(execution.acquires, event);
      break;
    case "look":
      execution.looks = noteOperation(execution.looks, event);
      break;
    case "extend":
      execution.extends = noteOperation(execution.extends, event);
      break;
    case "effect":
      execution.effects = noteOperation(execution.effects, event);
      break;
    case "ack":
      execution.acks = noteOperation(execution.acks, event);
      break;
    case "release":
      execution.releases = noteOperation(execution.releases, event);
      break;
    case "lost":
      execution.lost = [...execution.lost, event];
      break;
    case "skip":
      execution.skips = [...execution.skips, event];
      break;
  }
}

function draft(id: string, event: HistoryEvent): ExecutionDraft {
  return {
    id,
    worker: event.worker,
    incarnation: event.incarnation ?? 1,
    acquires: NONE,
    looks: NONE,
    extends: NONE,
    effects: NONE,
    acks: NONE,
    releases: NONE,
    lost: NONE,
    skips: NONE,
    last: event,
  };
}

/**
 * An end belongs to the oldest call that is still open. A second end without a call of its own (a retry's error, then
 * the confirmation) replaces the first: the last word counts.
 */
function noteOperation(operations: readonly Operated[], event: HistoryEvent): readonly Operated[] {
  const list = operations === NONE ? [] : (operations as Operated[]);
  if (event.phase === "invoke") {
    list.push({ invoke: event });
    return list;
  }
  const open = list.find((operation) => !operation.end);
  const last = list.at(-1);
  if (open) open.end = event;
  else if (last?.end?.phase === "info") last.end = event;
  else list.push({ end: event });
  return list;
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
