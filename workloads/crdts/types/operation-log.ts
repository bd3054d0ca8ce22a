import { compareTags, type Tag } from "./tag.ts";
import { covers, dominates, emptyVersion, nextTag, sequenceOf, type VersionVector, withTag } from "./version-vector.ts";

/** An operation as it is sent. */
export interface LoggedOperation<Payload> {
  readonly tag: Tag;
  /** What its region knew when it did it: the operations that must be applied before it. */
  readonly causes: VersionVector;
  readonly payload: Payload;
}

/**
 * An op-based CRDT: operations are sent instead of states. Each is applied once, and after its causes, whatever the
 * network does: what arrives too early waits, what arrives again is recognised by its tag. The waiting operations are
 * part of what a replica saves, since nobody sends again what was received.
 * Sources: Shapiro et al. 2011 (RR-7506), 2.3 (op-based CRDTs and their need for causal, exactly-once delivery);
 * K. Birman, A. Schiper, P. Stephenson: Lightweight Causal and Atomic Group Multicast (ACM TOCS, 1991) for the buffer.
 */
export interface OperationState<State, Payload> {
  readonly state: State;
  /** What was applied. */
  readonly version: VersionVector;
  /** All applied operations, in the order in which they were applied here. */
  readonly log: readonly LoggedOperation<Payload>[];
  /** Operations that wait for their causes, sorted by tag. */
  readonly pending: readonly LoggedOperation<Payload>[];
}

/** The effect of an operation on the state. Concurrent operations have the same effect in either order. */
export type Effect<State, Payload> = (state: State, payload: Payload, tag: Tag) => State;

export function emptyOperationState<State, Payload>(state: State): OperationState<State, Payload> {
  return { state, version: emptyVersion(), log: [], pending: [] };
}

/** Carries out a local operation. */
export function issue<State, Payload>(
  ours: OperationState<State, Payload>,
  effect: Effect<State, Payload>,
  region: string,
  payload: Payload,
): OperationState<State, Payload> {
  return applied(ours, effect, { tag: nextTag(ours.version, region), causes: ours.version, payload });
}

/** Takes operations in, in any order and any number of times. */
export function receiveOperations<State, Payload>(
  ours: OperationState<State, Payload>,
  effect: Effect<State, Payload>,
  operations: readonly LoggedOperation<Payload>[],
): OperationState<State, Payload> {
  const unknown = operations.filter(({ tag }) => !covers(ours.version, tag) && !isPending(ours, tag));
  if (unknown.length === 0) return ours;
  const waiting = [...ours.pending, ...unknown].sort((a, b) => compareTags(a.tag, b.tag));
  return drain(
    ours,
    effect,
    waiting.filter(({ tag }, at) => at === 0 || !isSame(tag, waiting[at - 1])),
  );
}

/** The operations that a peer with this version lacks. Those that wait here are passed on as well. */
export function operationsSince<State, Payload>(
  { log, pending }: OperationState<State, Payload>,
  since: VersionVector,
): LoggedOperation<Payload>[] {
  return [...log, ...pending].filter(({ tag }) => !covers(since, tag));
}

/** @param from the first of the region's own operations, counting from 1; @param to the last, included */
export function ownOperations<State, Payload>(
  { log }: OperationState<State, Payload>,
  region: string,
  from: number,
  to: number,
): LoggedOperation<Payload>[] {
  return log.filter(({ tag }) => tag.region === region && tag.sequence >= from && tag.sequence <= to);
}

/** Applies what waits for nothing any more, until nothing is left that could be. */
function drain<State, Payload>(
  ours: OperationState<State, Payload>,
  effect: Effect<State, Payload>,
  waiting: readonly LoggedOperation<Payload>[],
): OperationState<State, Payload> {
  let { state, version } = ours;
  const log = ours.log.slice();
  const pending = waiting.slice();
  for (let at = findReady(version, pending); at >= 0; at = findReady(version, pending)) {
    const [ready] = pending.splice(at, 1) as [LoggedOperation<Payload>];
    state = effect(state, ready.payload, ready.tag);
    version = withTag(version, ready.tag);
    log.push(ready);
  }
  return { state, version, log, pending };
}

function findReady<Payload>(version: VersionVector, pending: readonly LoggedOperation<Payload>[]): number {
  return pending.findIndex(
    ({ tag, causes }) => sequenceOf(version, tag.region) === tag.sequence - 1 && dominates(version, causes),
  );
}

function applied<State, Payload>(
  { state, version, log, pending }: OperationState<State, Payload>,
  effect: Effect<State, Payload>,
  operation: LoggedOperation<Payload>,
): OperationState<State, Payload> {
  return {
    state: effect(state, operation.payload, operation.tag),
    version: withTag(version, operation.tag),
    log: [...log, operation],
    pending,
  };
}

function isPending<State, Payload>({ pending }: OperationState<State, Payload>, tag: Tag): boolean {
  return pending.some((operation) => compareTags(operation.tag, tag) === 0);
}

function isSame<Payload>(tag: Tag, operation: LoggedOperation<Payload> | undefined): boolean {
  return operation !== undefined && compareTags(operation.tag, tag) === 0;
}
