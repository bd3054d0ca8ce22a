import type { Clock } from "./clock.ts";
import type { Field, Operation } from "./crdt-fields.ts";
import type { OracleName, OwnOracle } from "./crdt-oracles.ts";

/**
 * A replicated data type under test. The engine knows nothing of it but this contract, and drives it through thousands
 * of schedules; everything random, and everything about time and identity, comes from the engine, so that runs repeat.
 *
 * Two styles, one contract:
 * - *immutable*: the replica holds a reference to an immutable state. Messages, saved states and forks are references to
 *   it; merging returns the same object when nothing changed. Fast: nothing is copied or encoded, unless `codec` is used.
 * - *mutable*: the replica holds a library's document. Messages and saved states are bytes.
 *
 * Everything is synchronous. What must be awaited (loading a package, WebAssembly) is done in `createAdapter`.
 * @typeParam Message what goes over the network, whichever encoding made it
 * @typeParam Saved what a replica saves: bytes or text, or immutable plain data that shares nothing with live state
 * @typeParam Version what a replica has seen, such as a version vector or the heads of a document
 */
export interface CrdtAdapter<Message = unknown, Saved = unknown, Version = unknown> {
  /** As it stands in results. */
  name: string;
  /** One sentence, without a full stop at the end. */
  summary?: string;
  /** Whom a write waits for beyond its own region, as a phrase; absent: nobody. Reports say it: it is the price of no conflict. */
  writesWaitFor?: string;
  style: "immutable" | "mutable";
  fields: readonly Field[];
  /** At least one; the runner rotates them. */
  encodings: readonly Encoding[];
  network?: NetworkNeeds;
  /**
   * What a replica shows while operations that a received one depends on are missing:
   * - `applied` (default): every operation that was received. State-based types, whose messages carry whole causes, too.
   * - `buffered`: those whose causes are all there; the others wait.
   * - `partial`: no promise (`partialUnderGaps`): the value is judged only when everything received has its causes.
   */
  underGaps?: "applied" | "buffered" | "partial";
  /** Whether operations that wait for their causes outlive `save` and `load`. Default: true. */
  persistsPending?: boolean;
  /** Whether messages of kind `full` and `delta` bring operations that wait for their causes. Default: false. */
  exportsPending?: boolean;
  /** What the type claims to survive losing at a crash. Default: nothing, and the runner takes nothing away. */
  survives?: readonly Loss[];
  /**
   * The state that every replica starts from, made once and handed to `create` in the context: an automerge document
   * with its containers made, the initial stock. Other than `initial` of counters, it holds no values.
   */
  genesis?: () => Saved;
  /**
   * Brings a written value to the form in which it is shown, where the library cannot keep it: -0 to 0, undefined to
   * null. Applied to what was written, never to what is shown. Return ABSENT where writing it makes the cell absent.
   */
  canon?: (value: unknown) => unknown;
  /** In schedules of the deep tier one message in eight, whatever its encoding, goes through the codec and back. */
  codec?: { encode(message: Message): Uint8Array | string; decode(encoded: Uint8Array | string): Message };
  /** Present when the type has a hybrid logical clock; the HLC oracles judge it. */
  hlc?: {
    /** The drift guard, in ms: a remote stamp further ahead of the wall clock is refused with CLOCK_DRIFT. */
    maxDriftMs: number;
    /** The stamp of the sender's clock that the receiver's clock takes in; undefined if the message brings none. */
    messageStamp(message: Message): Stamp | undefined;
  };
  /** Operations beyond those of the fields. The ground truth does not know them; own oracles may. */
  operations?: readonly OwnOperation[];
  oracles?: readonly OwnOracle[];
  /** Present on implementations that are broken on purpose. */
  broken?: Mutant;
  /** A new, empty replica, or the genesis. */
  create(context: ReplicaContext<Saved>): Replica<Message, Saved, Version>;
  /**
   * A replica from what it saved. `lost` names what the crash took besides; only what `survives` lists.
   */
  load(saved: Saved, context: ReplicaContext<Saved>, lost: Loss | undefined): Replica<Message, Saved, Version>;
}

export interface Replica<Message = unknown, Saved = unknown, Version = unknown> {
  /**
   * Carries out a local operation. Returns undefined when done, else why it was refused, as a code such as
   * INSUFFICIENT_RIGHTS; a refused operation changed nothing. Throws only when something is broken.
   */
  apply(operation: Operation): string | undefined;
  /**
   * A message for a peer, in one of the adapter's encodings. Undefined: there is nothing to send. The replica must not
   * change it afterwards. The same request may be made again.
   */
  export(encoding: string, request: ExportRequest<Version>): Message | undefined;
  /**
   * Takes a message in: possibly one it has had already, an old one, one of its own. Returns undefined when it was taken
   * (or buffered), else why it was refused as a whole, as a code such as CLOCK_DRIFT; a refused message changed
   * nothing and will be sent again. Must not change the message.
   */
  receive(message: Message): string | undefined;
  /**
   * What a client of this replica sees: a plain object with a property per field (see Field). Called after every step
   * that touched the replica; an adapter may return the same object again as long as nothing changed.
   */
  value(): unknown;
  /** Everything that must outlive a restart, the clock and pending buffers included. */
  save(): Saved;
  /**
   * The replicated state without the clock, as plain data that compares by structure (no functions, no cycles). Laws
   * and the second round compare it besides the value. An immutable adapter returns its state itself. Absent: only
   * values are compared.
   */
  state?(): unknown;
  /** An independent copy of this replica, clock included. Absent: `load(save())`. */
  fork?(context: ReplicaContext<Saved>): Replica<Message, Saved, Version>;
  /**
   * What this replica has seen. Needed for encodings of kind `delta`, `collect` and NO-QUIESCENCE. Must not change
   * afterwards. Versions of equal structure mean: in sync.
   */
  version?(): Version;
  /** Collects garbage that the cut makes safe to drop. What is shown must not change. */
  collect?(cut: StableCut<Version>): void;
  /** How many tombstones are held. When every region has seen everything, a collection must leave none (GROWTH). */
  tombstones?(): number;
  /** The last stamp of the replica's hybrid logical clock. An immutable clock returns its state itself. */
  stamp?(): Stamp | undefined;
  /** The rights that this replica believes to hold itself in a bounded counter. */
  rights?(field: string, key: string): number;
  /** Passes on a message received from a third region. Absent: the message is passed on as it is. */
  forward?(message: Message): Message;
}

/** One way to put what a replica knows into a message. */
export interface Encoding {
  /** Unique within the adapter: `state`, `delta`, `update-v2`. */
  name: string;
  /**
   * - `full`: everything the replica knows.
   * - `delta`: what the peer lacks, given `request.since`.
   * - `operations`: the replica's own operations number `request.from` up to, not including, `request.to`, counting from
   *   0 those that it accepted under its present id; for every peer alike.
   */
  kind: "full" | "delta" | "operations";
}

export interface ExportRequest<Version = unknown> {
  /** Id of the peer; "" for kind `operations`, which go to every peer. */
  readonly peer: string;
  /** The newest version that reached this replica from the peer, with any message; undefined: nothing is known. */
  readonly since: Version | undefined;
  readonly from: number;
  readonly to: number;
}

/** What the network must promise. The runner breaks every other promise. */
export interface NetworkNeeds {
  /**
   * `none` (default): any order. `fifo`: messages of one sender arrive in the order sent. `causal`: a message arrives
   * after everything that its sender knew of.
   */
  order?: "none" | "fifo" | "causal";
  /** Default: true. False: every message arrives once. */
  survivesDuplicates?: boolean;
  /** Default: true. False: what is lost is sent again, by the runner. */
  survivesLoss?: boolean;
}

/**
 * - `identity`: everything, and the replica comes back empty under the same id. (Under a fresh id every type must
 *   survive it.)
 * - `clock`: the state of the clock. `sequence`: the counter for tags or own operations. `buffer`: operations that
 *   wait for their causes, or wait to be sent.
 */
export type Loss = "identity" | "clock" | "sequence" | "buffer";

/** A timestamp of a hybrid logical clock without its node: greatest wall clock seen in ms, and the counter. */
export interface Stamp {
  readonly l: number;
  readonly c: number;
}

/**
 * What one replica knows of the others when it collects: a column of the matrix of versions. Membership is fixed to
 * `regions`; only what every version in it covers has been seen by all.
 */
export interface StableCut<Version = unknown> {
  /** Ids of the regions as they are now. */
  readonly regions: readonly string[];
  /** By region: the newest version that reached this replica from it; its own, current one for itself. */
  readonly versions: readonly (Version | undefined)[];
  /** By region: whether the link to it is up. A member that cannot be reached is still a member. */
  readonly reachable: readonly boolean[];
}

/** What a replica is made from. It stays the replica's own for as long as it lives. */
export interface ReplicaContext<Saved = unknown> {
  /** Such as `fra`; after a loss of everything `fra2`, `fra3`, ... Unique within a schedule. */
  readonly id: string;
  /** Place among the regions, from 0; the same after a restart and under a fresh id. */
  readonly index: number;
  /** The id as a small positive integer, for libraries whose ids are numbers. Unique within a schedule. */
  readonly number: number;
  /** Ids of all regions at the start. */
  readonly regions: readonly string[];
  /** The replica's wall clock. Steps in both directions, stands still in between. */
  readonly clock: Clock;
  /** A BCP 47 tag, another for every region. Nothing that is compared may depend on it. */
  readonly locale: string;
  readonly genesis: Saved | undefined;
  /** A seeded number, 0 <= x < 1, for ids that a library would draw at random. */
  random(): number;
  /** Whether the link between this region and another is up, by index. */
  reaches(region: number): boolean;
  /** An object of one's own, shared by all replicas of one schedule: a service outside the regions, such as a leader. */
  readonly world: Map<string, unknown>;
  /**
   * Tells the runner that this replica has read the whole state of the region with this index, at once and beside the
   * messages, as types that coordinate do. To be called before the operation that builds on it is done.
   */
  learned(region: number): void;
}

export interface OwnOperation {
  name: string;
  summary?: string;
  /** What `Operation.value` is drawn from. Default: [undefined]. */
  arguments?: readonly unknown[];
}

/** Why an implementation is in the zoo. */
export interface Mutant {
  /** The mistake as its author would have thought it, in one sentence: "A tie cannot happen, so either side will do". */
  wrongThought: string;
  /** Oracles that count as catching it; usually one. */
  caughtBy: readonly [OracleName, ...OracleName[]];
}

/** What `canon` returns for a value whose writing leaves the cell absent. */
export const ABSENT: unique symbol = Symbol.for("holdfast.absent") as never;

/** A CRDT module, built-in or a user's file: it exports `createAdapter`, by name or within its default export. */
export interface CrdtModule {
  /** @param options as given by `--crdt-args` or in the configuration */
  createAdapter(options: Readonly<Record<string, unknown>>): CrdtAdapter | Promise<CrdtAdapter>;
  /**
   * What `createAdapter` takes: a sentence for each name. Other names are then refused. A `createAdapter` without a
   * parameter takes none; absent beside one with a parameter: anything is passed on.
   */
  adapterOptions?: Readonly<Record<string, string>>;
}

/** Types a user's module: `export default defineCrdt({ createAdapter: () => ({ name: "mine", ... }) })`. */
export function defineCrdt(module: CrdtModule): CrdtModule {
  return module;
}
