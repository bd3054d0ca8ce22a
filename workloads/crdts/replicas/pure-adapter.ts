import type {
  CrdtAdapter,
  Encoding,
  ExportRequest,
  Loss,
  Mutant,
  NetworkNeeds,
  Replica,
  ReplicaContext,
  StableCut,
  Stamp,
} from "../../../harness/contracts/crdt-adapter.ts";
import type { Field, Operation } from "../../../harness/contracts/crdt-fields.ts";
import { decodeState, encodeState } from "../types/codec.ts";

/**
 * An immutable data type as functions from state to state; `pureAdapter` makes replicas of it. A function that refuses
 * returns a code instead of a state. A type that is broken on purpose is another with one function replaced.
 */
export interface PureType<State extends object, Message = State, Version = unknown> {
  name: string;
  summary: string;
  fields: readonly Field[];
  /** Default: one, `state`, of kind `full`. */
  encodings?: readonly Encoding[];
  network?: NetworkNeeds;
  underGaps?: "applied" | "buffered" | "partial";
  exportsPending?: boolean;
  survives?: readonly Loss[];
  /** Given with `stamp`: the drift guard of the type's hybrid logical clock, and what a message tells of the sender's. */
  hlc?: { maxDriftMs: number; messageStamp(message: Message): Stamp | undefined };
  broken?: Mutant;
  initial(context: PureContext): State;
  apply(state: State, operation: Operation, context: PureContext): State | string;
  message(state: State, encoding: string, request: ExportRequest<Version>, context: PureContext): Message | undefined;
  receive(state: State, message: Message, context: PureContext): State | string;
  show(state: State, context: PureContext): unknown;
  /** What the laws compare, if it is less than the whole state. */
  essence?(state: State): unknown;
  /** What is written down, if it is less than the whole state. */
  save?(state: State): State;
  load?(saved: State, context: PureContext, lost: Loss | undefined): State;
  version?(state: State): Version;
  collect?(state: State, cut: StableCut<Version>, context: PureContext): State;
  tombstones?(state: State): number;
  stamp?(state: State): Stamp;
  rights?(state: State, key: string, context: PureContext): number;
  forward?(state: State, message: Message, context: PureContext): Message;
}

export type PureContext = ReplicaContext<never>;

export function pureAdapter<State extends object, Message, Version>(
  type: PureType<State, Message, Version>,
): CrdtAdapter<Message, State, Version> {
  const { name, summary, fields, network, underGaps, exportsPending, survives, hlc, broken } = type;
  const create = (context: ReplicaContext<State>, state: State) =>
    new PureReplica(type, context as unknown as PureContext, state);
  return {
    name,
    summary,
    style: "immutable",
    fields,
    encodings: type.encodings ?? [{ name: "state", kind: "full" }],
    ...(network === undefined ? {} : { network }),
    ...(underGaps === undefined ? {} : { underGaps }),
    ...(exportsPending === undefined ? {} : { exportsPending }),
    ...(survives === undefined ? {} : { survives }),
    ...(hlc === undefined ? {} : { hlc }),
    ...(broken === undefined ? {} : { broken }),
    codec: { encode: encodeState, decode: (text) => decodeState(text as string) as Message },
    create: (context) => create(context, type.initial(context as unknown as PureContext)),
    load: (saved, context, lost) =>
      create(context, type.load === undefined ? saved : type.load(saved, context as unknown as PureContext, lost)),
  };
}

class PureReplica<State extends object, Message, Version> implements Replica<Message, State, Version> {
  private readonly type: PureType<State, Message, Version>;
  private readonly context: PureContext;
  private current: State;
  private shownState: State | undefined;
  private shown: unknown;
  readonly version?: () => Version;
  readonly collect?: (cut: StableCut<Version>) => void;
  readonly tombstones?: () => number;
  readonly stamp?: () => Stamp;
  readonly rights?: (field: string, key: string) => number;
  readonly forward?: (message: Message) => Message;

  constructor(type: PureType<State, Message, Version>, context: PureContext, state: State) {
    this.type = type;
    this.context = context;
    this.current = state;
    const { version, collect, tombstones, stamp, rights, forward } = type;
    if (version !== undefined) this.version = () => version(this.current);
    if (tombstones !== undefined) this.tombstones = () => tombstones(this.current);
    if (stamp !== undefined) this.stamp = () => stamp(this.current);
    if (rights !== undefined) this.rights = (_field, key) => rights(this.current, key, context);
    if (forward !== undefined) this.forward = (message) => forward(this.current, message, context);
    if (collect !== undefined) {
      this.collect = (cut) => {
        this.current = collect(this.current, cut, context);
      };
    }
  }

  apply(operation: Operation): string | undefined {
    return this.take(this.type.apply(this.current, operation, this.context));
  }

  export(encoding: string, request: ExportRequest<Version>): Message | undefined {
    return this.type.message(this.current, encoding, request, this.context);
  }

  receive(message: Message): string | undefined {
    return this.take(this.type.receive(this.current, message, this.context));
  }

  value(): unknown {
    if (this.shownState !== this.current) {
      this.shown = this.type.show(this.current, this.context);
      this.shownState = this.current;
    }
    return this.shown;
  }

  save(): State {
    return this.type.save === undefined ? this.current : this.type.save(this.current);
  }

  state(): unknown {
    return this.type.essence === undefined ? this.current : this.type.essence(this.current);
  }

  private take(outcome: State | string): string | undefined {
    if (typeof outcome === "string") return outcome;
    this.current = outcome;
    return undefined;
  }
}
