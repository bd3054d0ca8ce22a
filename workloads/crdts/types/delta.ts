import { mapOf } from "./sorted-map.ts";
import {
  dominates,
  emptyVersion,
  mergeVersions,
  nextTag,
  sequenceOf,
  type VersionVector,
  withTag,
} from "./version-vector.ts";

/** A change: makes of any state that knows `after` one that also knows `upTo`. */
export interface Delta<Change> {
  readonly after: VersionVector;
  readonly upTo: VersionVector;
  readonly change: Change;
}

/**
 * A delta-state CRDT: an operation yields a small change that is joined to the state like any other, and only changes
 * are sent. A change applies where everything before it is known, and nowhere else: without that check the version of
 * the receiver would claim changes that it never had, and nobody would send them again.
 * Source: P. S. Almeida, A. Shoker, C. Baquero: Delta State Replicated Data Types (JPDC 111, 2018), algorithm 2, with
 * the sequence numbers of its acknowledgements replaced by version vectors.
 */
export interface DeltaState<State, Change> {
  readonly state: State;
  readonly version: VersionVector;
  /** The changes that came about here or arrived, in the order in which they were joined. */
  readonly log: readonly Delta<Change>[];
}

/** What a data type brings along to be replicated by deltas. */
export interface DeltaType<State, Change> {
  readonly empty: State;
  /** The state after a change. `version` is what the state knows. */
  join(state: State, version: VersionVector, change: Change): State;
  /** One change instead of two. */
  joinChanges(earlier: Change, later: Change): Change;
  /** The state after meeting a whole other state. */
  joinStates(ours: State, ourVersion: VersionVector, theirs: State, theirVersion: VersionVector): State;
}

export function emptyDeltaState<State, Change>(type: DeltaType<State, Change>): DeltaState<State, Change> {
  return { state: type.empty, version: emptyVersion(), log: [] };
}

/** Carries out a local operation, given as its change. Every operation is counted, also one that changes nothing. */
export function applyChange<State, Change>(
  type: DeltaType<State, Change>,
  { state, version, log }: DeltaState<State, Change>,
  region: string,
  change: Change,
): DeltaState<State, Change> {
  const tag = nextTag(version, region);
  const delta = { after: version, upTo: mapOf([[region, tag.sequence]]), change };
  return { state: type.join(state, version, change), version: withTag(version, tag), log: [...log, delta] };
}

/** What a peer that knows `since` lacks, as one change; undefined if it lacks nothing. */
export function deltaSince<State, Change>(
  type: DeltaType<State, Change>,
  { version, log }: DeltaState<State, Change>,
  since: VersionVector,
): Delta<Change> | undefined {
  const lacking = log.filter(({ upTo }) => !dominates(since, upTo));
  return joined(type, lacking, since, version);
}

/**
 * The region's own operations with these sequence numbers as one change, for every peer alike.
 * @param from the first, counting from 1
 * @param to the last, included
 */
export function ownDelta<State, Change>(
  type: DeltaType<State, Change>,
  { log }: DeltaState<State, Change>,
  region: string,
  from: number,
  to: number,
): Delta<Change> | undefined {
  const own = log.filter(({ upTo }) => upTo.keys.length === 1 && isWithin(sequenceOf(upTo, region), from, to));
  const last = own.at(-1);
  if (last === undefined) return undefined;
  const after = { keys: last.after.keys, values: last.after.values.slice() };
  const place = after.keys.indexOf(region);
  if (place >= 0) after.values[place] = from - 1;
  return joined(type, own, after, last.upTo);
}

/** "GAP", with nothing changed, if something before the delta is missing here. */
export function receiveDelta<State, Change>(
  type: DeltaType<State, Change>,
  ours: DeltaState<State, Change>,
  delta: Delta<Change>,
): DeltaState<State, Change> | "GAP" {
  const { state, version, log } = ours;
  if (dominates(version, delta.upTo)) return ours;
  if (!dominates(version, delta.after)) return "GAP";
  return {
    state: type.join(state, version, delta.change),
    version: mergeVersions(version, delta.upTo),
    log: [...log, delta],
  };
}

/** Meets the whole state of a peer, its log included. */
export function mergeDeltaStates<State, Change>(
  type: DeltaType<State, Change>,
  ours: DeltaState<State, Change>,
  theirs: DeltaState<State, Change>,
): DeltaState<State, Change> {
  if (dominates(ours.version, theirs.version)) return ours;
  const unknown = theirs.log.filter(({ upTo }) => !dominates(ours.version, upTo));
  return {
    state: type.joinStates(ours.state, ours.version, theirs.state, theirs.version),
    version: mergeVersions(ours.version, theirs.version),
    log: [...ours.log, ...unknown],
  };
}

function joined<State, Change>(
  type: DeltaType<State, Change>,
  deltas: readonly Delta<Change>[],
  after: VersionVector,
  upTo: VersionVector,
): Delta<Change> | undefined {
  const [first, ...rest] = deltas;
  if (first === undefined) return undefined;
  return { after, upTo, change: rest.reduce((change, delta) => type.joinChanges(change, delta.change), first.change) };
}

const isWithin = (sequence: number, from: number, to: number) => sequence >= from && sequence <= to;
