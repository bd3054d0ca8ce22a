import type { CrdtAdapter } from "../../contracts/crdt-adapter.ts";
import { FAILURES_PER_ORACLE } from "../campaign/plan.ts";
import { HEAD, HEADER, STRIDE } from "../plan/event.ts";
import type { Random } from "../plan/random.ts";
import type { CoverageNumbers } from "../run/coverage.ts";
import { possibleKinds } from "../run/possible-kinds.ts";
import { Runner } from "../run/runner.ts";
import { HEARTBEAT } from "../thread/heartbeat.ts";
import { type Alphabet, type AlphabetSize, type Candidate, laterEvents, ownEvents, poolOf } from "./alphabet.ts";
import { isLeast } from "./least-naming.ts";
import { isNormal, nameRegions, type Past } from "./normal-form.ts";
import { type Snapshot, snapshotOf } from "./snapshot.ts";

export interface ExhaustiveOptions {
  regions: number;
  /** Every schedule of up to so many events. */
  depth: number;
  /** Of schedules that differ only in the names of regions, run one. */
  symmetry: boolean;
  alphabet: AlphabetSize;
  /** Every oracle always. */
  all: boolean;
}

/** One of `parts` shares of the search, which together are all of it. */
export interface ExhaustivePart extends ExhaustiveOptions {
  part: number;
  parts: number;
}

export interface ExhaustiveReport {
  /** Events that need no message: what may come first. Each message adds its own: delivery, repetition, forwarding. */
  rootEvents: number;
  /** Schedules that ran: those in normal form. */
  schedules: number;
  /** Branches left out, because another order of independent events or another naming of regions stands for them. */
  prunedOrders: number;
  prunedNames: number;
  coverage: CoverageNumbers;
  failed: Readonly<Record<string, number>>;
  /** The first few of each oracle. */
  failures: readonly { oracle: string; index: number; schedule: readonly number[] }[];
}

/** From here on down, branches are dealt out to the parts. */
const SHARED_DEPTH = 2;

/** Runs one share of all schedules up to a depth, the shorter ones included. */
export function searchPart(adapter: CrdtAdapter, part: ExhaustivePart, heartbeat?: Int32Array): ExhaustiveReport {
  const search = new Search(adapter, part, heartbeat);
  search.advance();
  return search.report();
}

/** A schedule that ran, and those that go on from it and are still to come. */
interface Node {
  readonly past: readonly Past[];
  readonly messagesBefore: number;
  readonly branches: Generator<readonly [Candidate, number], undefined>;
}

export class Search {
  private readonly part: ExhaustivePart;
  private readonly runner: Runner;
  private readonly own: readonly Candidate[];
  private readonly alphabet: Alphabet;
  /** What its thread's parent sees, the schedule that runs included. */
  private readonly heartbeat: Int32Array;
  private readonly buffer: Int32Array;
  private readonly views: readonly Int32Array[];
  private snapshot: Snapshot | undefined;
  private ordinal = 0;
  schedules = 0;
  private prunedOrders = 0;
  private prunedNames = 0;
  private readonly failed: Record<string, number> = {};
  private readonly failures: { oracle: string; index: number; schedule: readonly number[] }[] = [];
  private readonly watcher: { before(event: number): void };

  constructor(adapter: CrdtAdapter, part: ExhaustivePart, heartbeat: Int32Array = new Int32Array(HEARTBEAT.length)) {
    const { regions, depth, all, alphabet } = part;
    this.part = part;
    this.heartbeat = heartbeat;
    this.runner = new Runner(adapter, { regions, maxEvents: depth, all, arguments: "unit", heartbeat });
    const { world } = this.runner;
    const pool = poolOf((number) => world.poolNumber(number), alphabet);
    this.buffer = heartbeat.subarray(HEARTBEAT.schedule, HEARTBEAT.schedule + HEADER + depth * STRIDE).fill(0);
    this.buffer[HEAD.pool] = pool;
    this.alphabet = { size: alphabet, regions, can: possibleKinds(world), coordinates: false };
    const own = ownEvents(adapter, world.poolNumber(pool), this.alphabet);
    this.alphabet.coordinates = this.areCoordinated(own);
    this.own = this.alphabet.coordinates ? ownEvents(adapter, world.poolNumber(pool), this.alphabet) : own;
    this.views = Array.from({ length: depth + 1 }, (_, events) => this.buffer.subarray(0, HEADER + events * STRIDE));
    this.watcher = {
      before: (event) => {
        // Nothing goes on from the longest.
        if (event === this.events && event < depth) this.snapshot = snapshotOf(world);
      },
    };
  }
  private events = 0;
  /** The way down to where it is; undefined before it begins. */
  private way: Node[] | undefined;

  /** Whether any of these events has a replica read another's state beside the messages. */
  private areCoordinated(own: readonly Candidate[]): boolean {
    const { world } = this.runner;
    for (const { event } of own) {
      this.runner.run(Int32Array.from([...this.buffer.subarray(0, HEADER), ...event]), false, { skipsFinish: true });
    }
    world.coverage.reset();
    return world.coordinated;
  }

  /**
   * Goes on from where it was, and gives whether there is nothing left.
   * @param isOver asked after every schedule: whether to come back for now
   */
  advance(isOver: () => boolean = () => false): boolean {
    if (this.way === undefined) {
      this.way = [];
      this.enter(this.way, [], 0);
    }
    const { way } = this;
    for (let node = way.at(-1); node !== undefined; node = way.at(-1)) {
      const { done, value } = node.branches.next();
      if (done) {
        way.pop();
        continue;
      }
      const { past, messagesBefore } = node;
      const [candidate, namedAfter] = value;
      if (past.length === SHARED_DEPTH - 1 && !this.isMine()) continue;
      this.enter(way, [...past, { candidate, messagesBefore }], namedAfter);
      if (isOver()) return way.length === 0;
    }
    return true;
  }

  /** Runs the schedule of these events; those that go on from it are next. */
  private enter(way: Node[], past: readonly Past[], named: number): void {
    const { snapshot, isWhole } = this.run(past);
    if (snapshot === undefined || !isWhole || past.length === this.part.depth) return;
    way.push({ past, messagesBefore: snapshot.count, branches: this.next(snapshot, past, named) });
  }

  /** Deals the branches at the shared depth to the parts. */
  private isMine(): boolean {
    return this.ordinal++ % this.part.parts === this.part.part;
  }

  /** The events that may come next, each with how many regions have a name then. */
  private *next(
    snapshot: Snapshot,
    past: readonly Past[],
    named: number,
  ): Generator<readonly [Candidate, number], undefined> {
    const { symmetry } = this.part;
    for (const candidates of [this.own, laterEvents(snapshot, this.alphabet)]) {
      for (const candidate of candidates) {
        const namedAfter = symmetry ? nameRegions(named, candidate) : 0;
        const counts = past.length >= SHARED_DEPTH || this.part.part === 0 ? 1 : 0;
        if (namedAfter < 0) this.prunedNames += counts;
        else if (!isNormal(past, candidate)) this.prunedOrders += counts;
        else if (symmetry && !isLeast([...past, { candidate, messagesBefore: snapshot.count }], namedAfter))
          this.prunedNames += counts;
        else yield [candidate, namedAfter];
      }
    }
  }

  /** Runs one schedule. It is not whole when it failed, or its last event found nothing to do: nothing goes on from it. */
  private run(past: readonly Past[]): { snapshot: Snapshot | undefined; isWhole: boolean } {
    const { runner, buffer } = this;
    const { coverage } = runner.world;
    this.events = past.length;
    this.snapshot = undefined;
    if (past.length > 0) buffer.set(past.at(-1)!.candidate.event, HEADER + (past.length - 1) * STRIDE);
    this.beat(past.length);
    const skipped = coverage.skipped;
    const failure = runner.run(this.views[past.length]!, this.part.all, this.watcher);
    const { snapshot } = this;
    if (coverage.skipped > skipped) return { snapshot, isWhole: false };
    // What all parts run to find their branches counts in the first.
    if (past.length >= SHARED_DEPTH || this.part.part === 0) this.count(failure?.oracle, past.length);
    return { snapshot, isWhole: failure === undefined };
  }

  private count(oracle: string | undefined, events: number): void {
    const { index } = this;
    this.schedules++;
    if (oracle === undefined) return;
    this.failed[oracle] = (this.failed[oracle] ?? 0) + 1;
    if (this.failed[oracle] > FAILURES_PER_ORACLE) return;
    this.failures.push({ oracle, index, schedule: Array.from(this.views[events]!) });
  }

  /** Number of the schedule that runs, among those of all parts. */
  private get index(): number {
    return this.schedules * this.part.parts + this.part.part;
  }

  private beat(events: number): void {
    const { heartbeat, index } = this;
    heartbeat[HEARTBEAT.events] = events;
    heartbeat[HEARTBEAT.indexLow] = index | 0;
    heartbeat[HEARTBEAT.indexHigh] = Math.floor(index / 2 ** 32);
  }

  /**
   * One random way down; gives how many schedules there would be if every way were like it. The mean over many ways is
   * the number of schedules. Source: Knuth, "Estimating the efficiency of backtrack programs", 1975.
   */
  probe(random: Random): number {
    let past: readonly Past[] = [];
    let named = 0;
    let weight = 1;
    let estimate = 1;
    for (let events = 0; events < this.part.depth; events++) {
      const { snapshot, isWhole } = this.run(past);
      if (snapshot === undefined || !isWhole) break;
      const branches = [...this.next(snapshot, past, named)];
      if (branches.length === 0) break;
      weight *= branches.length;
      estimate += weight;
      const [candidate, namedAfter] = branches[random.below(branches.length)]!;
      past = [...past, { candidate, messagesBefore: snapshot.count }];
      named = namedAfter;
    }
    return estimate;
  }

  report(): ExhaustiveReport {
    const { schedules, prunedOrders, prunedNames, failed, failures } = this;
    const coverage = this.runner.world.coverage.numbers();
    return { rootEvents: this.own.length, schedules, prunedOrders, prunedNames, failed, failures, coverage };
  }
}
