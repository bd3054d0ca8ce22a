import type { Field, Operation } from "../../../harness/contracts/crdt-fields.ts";
import {
  type Effect,
  emptyOperationState,
  issue,
  type LoggedOperation,
  type OperationState,
  operationsSince,
  ownOperations,
  receiveOperations,
} from "../types/operation-log.ts";
import { emptyVersion, type VersionVector } from "../types/version-vector.ts";
import type { PureType } from "./pure-adapter.ts";

export type OperationMessage<Payload> = readonly LoggedOperation<Payload>[];

export interface ByOperation<State, Payload> {
  name: string;
  summary: string;
  fields: readonly Field[];
  empty: State;
  effect: Effect<State, Payload>;
  /** What is sent of a local operation. */
  payload(whole: OperationState<State, Payload>, operation: Operation): Payload;
  show(state: State): unknown;
}

/** Makes a type that is replicated by operations: the region's own ones, those that a peer lacks, or all there are. */
export function byOperation<State, Payload>({
  name,
  summary,
  fields,
  empty,
  effect,
  payload,
  show,
}: ByOperation<State, Payload>): PureType<OperationState<State, Payload>, OperationMessage<Payload>, VersionVector> {
  return {
    name,
    summary,
    fields,
    encodings: [
      { name: "operations", kind: "operations" },
      { name: "lacking", kind: "delta" },
      { name: "log", kind: "full" },
    ],
    underGaps: "buffered",
    exportsPending: true,
    initial: () => emptyOperationState(empty),
    apply: (ours, operation, { id }) => issue(ours, effect, id, payload(ours, operation)),
    message(ours, encoding, { since, from, to }, { id }) {
      const operations =
        encoding === "operations"
          ? ownOperations(ours, id, from + 1, to)
          : operationsSince(ours, encoding === "lacking" ? (since ?? emptyVersion()) : emptyVersion());
      return operations.length === 0 ? undefined : operations;
    },
    receive: (ours, operations) => receiveOperations(ours, effect, operations),
    show: ({ state }) => show(state),
    essence: ({ state, version }) => ({ state, version }),
    version: ({ version }) => version,
  };
}
