import type { CrdtAdapter, Stamp } from "../../contracts/crdt-adapter.ts";
import type { Operation } from "../../contracts/crdt-fields.ts";
import type { OracleFacts } from "../../contracts/crdt-oracles.ts";
import { EPOCH_MS, HEAD, HEADER, KIND, STRIDE } from "../plan/event.ts";
import { makePool, POOLS, type Pool } from "../plan/pool.ts";
import { Coverage } from "./coverage.ts";
import type { Failure } from "./failure.ts";
import { ListOrder } from "./list-order.ts";
import { Mailbox } from "./mailbox.ts";
import { REGION_IDS, Region, type Surroundings } from "./region.ts";
import { atOnce } from "./synchronous.ts";
import { Truth } from "./truth.ts";

export interface WorldOptions {
  regions: number;
  /** The longest schedule that will run. */
  maxEvents: number;
  /** `unit`: every increment is +1, or -1, every value is fresh. For the exhaustive search. */
  arguments?: "any" | "unit";
}

/**
 * Everything that a schedule runs in: the replicas, the truth, the messages, the links. Made once and used again by every
 * schedule; what runs in it is in events/, what judges it in judge.ts and finish.ts.
 */
export class World implements Surroundings {
  readonly adapter: CrdtAdapter;
  readonly options: WorldOptions;
  readonly regions: readonly Region[];
  readonly truth: Truth;
  readonly mail: Mailbox;
  readonly lists: ListOrder | undefined;
  readonly coverage = new Coverage();
  private readonly pools: (Pool | undefined)[] = [];

  /** What this adapter is like, looked up once. */
  readonly immutable: boolean;
  readonly buffered: boolean;
  readonly partial: boolean;
  readonly usesVersions: boolean;
  readonly sendsOperations: boolean;
  readonly sendsState: boolean;
  readonly survivesLoss: boolean;
  readonly survivesDuplicates: boolean;
  readonly causal: boolean;
  readonly fifo: boolean;
  readonly collects: boolean;
  readonly countsTombstones: boolean;
  /** Bounded counters whose rights can be looked at. */
  readonly multiRights: boolean;
  /** Indexes of the encodings that carry state, full or delta. */
  readonly stateEncodings: readonly number[];
  readonly ownOracles: boolean;

  pool!: Pool;
  /** Fingerprints are taken, and the laws tried at the end. */
  deep = false;
  /** What a region shows is judged after each message; in the final exchange once, when it has taken all. */
  judgesTakes = true;
  /** Messages are compared with their fingerprints as they are taken. */
  checksPrints = false;
  /** Messages bring their sender's version along; in the final exchange only where something still asks for it. */
  remembersVersions = true;
  /** Laws are tried on all regions, as `--oracles all` asks. */
  everything = false;
  failure: Failure | undefined;
  event = 0;
  /** What is asked of an export; one object for all, since adapters keep none. */
  readonly request: { peer: string; since: unknown; from: number; to: number } = {
    peer: "",
    since: undefined,
    from: 0,
    to: 0,
  };
  /** By pair of regions: the link is cut. */
  readonly cut: Uint8Array;
  cuts = 0;
  /** By pair [region, peer]: the newest version of the peer that reached the region, and what it stands for. */
  readonly peerVersion: unknown[];
  readonly peerLife: Int32Array;
  readonly peerSequence: Int32Array;
  readonly peerKnown: Int32Array;
  /** By operation of the truth: what it wrote, or ABSENT; and the operation as the adapter got it. */
  readonly written: unknown[] = [];
  readonly operations: Operation[] = [];
  /** Local operations so far, refused ones too; writes so far; increments so far. */
  operationNumber = 0;
  freshValues = 0;
  increments = 0;
  /** A replica read another's state, or one that all share, beside the messages: so far, in whichever schedule. */
  coordinated = false;
  private replicaNumber = 0;
  private sharedWorld: Map<string, unknown> | undefined;
  randomSeed = 0;
  /** Regions that read another one's state beside the messages since the last step: pairs. */
  readonly learnedPairs: number[] = [];
  finishBits = 0;
  /** By region: what it showed and held before the second round. */
  readonly valuesBefore: unknown[];
  readonly statesBefore: unknown[];
  /** By pair [sender, receiver]: the number of the message of the final exchange, -1: none, or taken. */
  readonly frozen: Int32Array;

  /** What the last event did, for the trace. */
  lastRegion = 0;
  lastMessage = -1;
  lastMessages = 0;
  lastRefusal: string | undefined;
  lastOperation: Operation | undefined;
  lastChoice = 0;
  lastDetail = "";

  constructor(adapter: CrdtAdapter, options: WorldOptions) {
    this.adapter = adapter;
    this.options = options;
    const { regions, maxEvents } = options;
    const network = adapter.network ?? {};
    this.immutable = adapter.style === "immutable";
    this.buffered = adapter.underGaps === "buffered";
    this.partial = adapter.underGaps === "partial";
    this.sendsOperations = adapter.encodings.some(({ kind }) => kind === "operations");
    this.sendsState = adapter.encodings.some(({ kind }) => kind !== "operations");
    this.survivesLoss = network.survivesLoss !== false;
    this.survivesDuplicates = network.survivesDuplicates !== false;
    this.causal = network.order === "causal";
    this.fifo = network.order === "fifo";
    const maxWords = Math.max(1, Math.ceil(maxEvents / 32));
    let cells = 0;
    for (let number = 0; number < POOLS; number++) cells = Math.max(cells, makePool(adapter, number).cells.length);
    const ids = REGION_IDS.slice(0, regions);
    const genesis = atOnce(adapter.genesis?.(), "genesis", adapter);
    this.regions = ids.map((_, index) => new Region(index, ids, genesis, maxWords * 32, adapter.fields.length));
    // Operations of the adapter's own count in a cell beyond the last.
    this.truth = new Truth(regions, maxEvents, cells + 1, adapter.fields.length + 1);
    const posts = this.sendsOperations ? regions - 1 : 1;
    const rounds = this.buffered ? regions + 1 : 2;
    this.mail = new Mailbox(maxEvents * posts + 2 * rounds * regions * regions, maxWords);
    this.lists = adapter.fields.some(({ type }) => type === "list") ? new ListOrder(maxEvents) : undefined;
    this.cut = new Uint8Array(regions * regions);
    this.peerVersion = new Array(regions * regions).fill(undefined);
    this.peerLife = new Int32Array(regions * regions);
    this.peerSequence = new Int32Array(regions * regions);
    this.peerKnown = new Int32Array(regions * regions * maxWords);
    const probe = this.probe();
    this.usesVersions = probe.version !== undefined;
    this.collects = probe.collect !== undefined;
    this.countsTombstones = probe.tombstones !== undefined;
    this.stateEncodings = [...adapter.encodings.keys()].filter((at) => adapter.encodings[at]!.kind !== "operations");
    this.ownOracles = adapter.oracles?.some(({ tier }) => tier === "step") ?? false;
    this.valuesBefore = new Array(regions).fill(undefined);
    this.statesBefore = new Array(regions).fill(undefined);
    this.frozen = new Int32Array(regions * regions);
    this.multiRights =
      probe.rights !== undefined &&
      adapter.fields.some((field) => field.type === "bounded-counter" && field.transfers !== false);
  }

  /** A replica made only to see what it can do. */
  private probe() {
    const region = this.regions[0]!;
    region.begin(EPOCH_MS);
    this.replicaNumber = 0;
    return atOnce(this.adapter.create(region.renew(1, this)), "create", this.adapter);
  }

  poolNumber(number: number): Pool {
    const at = number % POOLS;
    this.pools[at] ??= makePool(this.adapter, at);
    return this.pools[at];
  }

  begin(schedule: Int32Array, deep: boolean): void {
    let operations = 0;
    for (let at = HEADER; at < schedule.length; at += STRIDE) if (schedule[at] === KIND.operation) operations++;
    this.pool = this.poolNumber(schedule[HEAD.pool]!);
    this.finishBits = schedule[HEAD.finish]!;
    this.randomSeed = schedule[HEAD.random]!;
    this.deep = deep;
    this.checksPrints = deep;
    this.judgesTakes = true;
    this.remembersVersions = true;
    this.failure = undefined;
    this.event = 0;
    this.truth.begin(operations, this.pool.cellFields);
    this.mail.begin(this.truth.words);
    this.lists?.begin(this.truth.words, operations);
    this.cut.fill(0);
    this.cuts = 0;
    if (this.usesVersions) {
      this.peerVersion.fill(undefined);
      this.peerLife.fill(0);
      this.peerSequence.fill(-1);
      this.peerKnown.fill(0);
    }
    this.operationNumber = 0;
    this.freshValues = 0;
    this.increments = 0;
    this.replicaNumber = 0;
    this.sharedWorld = undefined;
    this.learnedPairs.length = 0;
    for (const region of this.regions) {
      region.begin(EPOCH_MS);
      this.create(region);
    }
  }

  /** A fresh replica for a region, under its present life's id. */
  create(region: Region): void {
    const context = region.renew(++this.replicaNumber, this);
    region.replica = atOnce(this.adapter.create(context), "create", this.adapter);
    if (this.adapter.hlc !== undefined) {
      this.rememberStamp(region, atOnce(region.replica.stamp?.(), "stamp", this.adapter));
    }
  }

  rememberStamp(region: Region, stamp: Stamp | undefined): void {
    if (stamp === undefined) return;
    region.stampL = stamp.l;
    region.stampC = stamp.c;
  }

  fail(oracle: string, region: number, expected: string, actual: string): void {
    this.failure ??= { oracle, event: this.event, region, expected, actual };
  }

  reaches(region: number, other: number): boolean {
    return this.cut[region * this.regions.length + other] === 0;
  }

  learned(region: number, other: number): void {
    if (other < 0 || other >= this.regions.length) throw new RangeError(`learned(${other}): there is no such region`);
    this.coordinated = true;
    this.learnedPairs.push(region, other);
  }

  get world(): Map<string, unknown> {
    this.coordinated = true;
    this.sharedWorld ??= new Map();
    return this.sharedWorld;
  }

  /** What an adapter's own oracles look at. */
  ownFacts(touched: number | undefined): OracleFacts {
    const { truth, operations } = this;
    const knows = (region: number) => () =>
      Array.from({ length: truth.count }, (_, operation) => operation).filter((operation) =>
        truth.knows(region, operation),
      );
    return {
      replicas: this.regions.map(({ id, view, index, replica }) => ({
        id,
        value: view ?? replica.value(),
        knows: knows(index),
      })),
      touched,
      operations: Array.from({ length: truth.count }, (_, number) => ({
        operation: operations[number]!,
        region: truth.region[number]!,
      })),
    };
  }
}
