import type { Field, Operation } from "../../../harness/contracts/crdt-fields.ts";
import {
  applyChange,
  type Delta,
  type DeltaState,
  type DeltaType,
  deltaSince,
  emptyDeltaState,
  mergeDeltaStates,
  ownDelta,
  receiveDelta,
} from "../types/delta.ts";
import { emptyVersion, type VersionVector } from "../types/version-vector.ts";
import type { PureType } from "./pure-adapter.ts";

export type DeltaMessage<State, Change> =
  | { readonly kind: "state"; readonly whole: DeltaState<State, Change> }
  | { readonly kind: "delta"; readonly delta: Delta<Change> };

export interface ByDelta<State, Change> {
  name: string;
  summary: string;
  fields: readonly Field[];
  delta: DeltaType<State, Change>;
  /** The change that a local operation makes. */
  change(whole: DeltaState<State, Change>, operation: Operation, region: string): Change;
  show(state: State): unknown;
}

/** Makes a type that is replicated by deltas: what a peer lacks, the region's own latest changes, or the whole state. */
export function byDelta<State, Change>({
  name,
  summary,
  fields,
  delta: type,
  change,
  show,
}: ByDelta<State, Change>): PureType<DeltaState<State, Change>, DeltaMessage<State, Change>, VersionVector> {
  return {
    name,
    summary,
    fields,
    encodings: [
      { name: "state", kind: "full" },
      { name: "delta", kind: "delta" },
      { name: "own-delta", kind: "operations" },
    ],
    initial: () => emptyDeltaState(type),
    apply: (ours, operation, { id }) => applyChange(type, ours, id, change(ours, operation, id)),
    message(ours, encoding, { since, from, to }, { id }) {
      if (encoding === "state") return { kind: "state", whole: ours };
      const delta =
        encoding === "delta" ? deltaSince(type, ours, since ?? emptyVersion()) : ownDelta(type, ours, id, from + 1, to);
      return delta === undefined ? undefined : { kind: "delta", delta };
    },
    receive: (ours, message) =>
      message.kind === "state" ? mergeDeltaStates(type, ours, message.whole) : receiveDelta(type, ours, message.delta),
    show: ({ state }) => show(state),
    essence: ({ state, version }) => ({ state, version }),
    version: ({ version }) => version,
  };
}
