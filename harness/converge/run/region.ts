import type { Replica, ReplicaContext } from "../../contracts/crdt-adapter.ts";
import { Random } from "../plan/random.ts";

/** Names of the regions, in their order; ids of nodes compare in another order than the regions stand in. */
export const REGION_IDS: readonly string[] = ["fra", "cai", "iad", "gru", "syd", "nrt", "bom", "cpt", "arn"];
const LOCALES: readonly string[] = ["en", "sv", "de", "lt", "es", "et", "tr", "da", "cs"];
export const MAX_REGIONS = REGION_IDS.length;

class WallClock {
  ms = 0;
  now(): number {
    return this.ms;
  }
}

/** What the contexts of one schedule ask of it. */
export interface Surroundings {
  reaches(region: number, other: number): boolean;
  learned(region: number, other: number): void;
  readonly world: Map<string, unknown>;
  /** Seed of `random` in this schedule. */
  readonly randomSeed: number;
}

class Context implements ReplicaContext {
  readonly id: string;
  readonly index: number;
  readonly number: number;
  readonly regions: readonly string[];
  readonly clock: WallClock;
  readonly locale: string;
  readonly genesis: unknown;
  private readonly surroundings: Surroundings;
  private randomNumbers: Random | undefined;

  private readonly stream: number;

  constructor(region: Region, id: string, number: number, stream: number, surroundings: Surroundings) {
    this.id = id;
    this.index = region.index;
    this.number = number;
    this.stream = stream;
    this.regions = region.regions;
    this.clock = region.clock;
    this.locale = LOCALES[region.index]!;
    this.genesis = region.genesis;
    this.surroundings = surroundings;
  }

  /** A new schedule. */
  begin(): void {
    this.randomNumbers = undefined;
  }

  random(): number {
    this.randomNumbers ??= new Random().seed(this.surroundings.randomSeed, this.stream);
    return this.randomNumbers.fraction();
  }

  reaches(region: number): boolean {
    return this.surroundings.reaches(this.index, region);
  }

  get world(): Map<string, unknown> {
    return this.surroundings.world;
  }

  learned(region: number): void {
    this.surroundings.learned(this.index, region);
  }
}

/** One region: its replica, its clock, and what the runner remembers of it. */
export class Region {
  readonly index: number;
  readonly regions: readonly string[];
  readonly genesis: unknown;
  readonly clock = new WallClock();
  replica!: Replica;
  context!: ReplicaContext;
  /** Its id now; another one after a loss of everything. */
  id = "";
  /** Counts the lives under different ids, from 0. */
  life = 0;
  /** What it showed when it was last looked at. */
  view: unknown;
  /** The last stamp of its hybrid logical clock that was seen. */
  stampL = -1;
  stampC = 0;
  /** Messages exported and taken so far. */
  sent = 0;
  taken = 0;
  /** Operations accepted under the present id, and how many of them were broadcast. */
  readonly own: Int32Array;
  ownCount = 0;
  broadcast = 0;
  /** How many operations there were, anywhere, when it last restarted; -1: never. */
  restartedAt = -1;
  /** `Truth.learnt` when it was last judged; -1: it must be judged, whatever it shows. */
  judgedAt = -1;
  /** By field: what it showed there when it was last judged, and `Truth.learntOf` then. */
  readonly shownFields: unknown[];
  readonly judgedFields: Int32Array;

  private firstContext: Context | undefined;

  constructor(index: number, regions: readonly string[], genesis: unknown, maxOperations: number, fields: number) {
    this.index = index;
    this.regions = regions;
    this.genesis = genesis;
    this.own = new Int32Array(maxOperations);
    this.shownFields = new Array(fields).fill(undefined);
    this.judgedFields = new Int32Array(fields);
  }

  begin(epochMs: number): void {
    this.clock.ms = epochMs;
    this.life = 0;
    this.sent = 0;
    this.taken = 0;
    this.restartedAt = -1;
    this.forget();
  }

  /** A replica under a new id is to come. */
  forget(): void {
    this.view = undefined;
    this.stampL = -1;
    this.stampC = 0;
    this.ownCount = 0;
    this.broadcast = 0;
    this.judgeAnew();
  }

  /** Nothing that was seen of its replica counts any more. */
  judgeAnew(): void {
    this.judgedAt = -1;
    for (let field = 0; field < this.judgedFields.length; field++) this.judgedFields[field] = -1;
  }

  /** @param number small positive integer, unique within the schedule */
  renew(number: number, surroundings: Surroundings): ReplicaContext {
    const base = this.regions[this.index]!;
    this.id = this.life === 0 ? base : `${base}${this.life + 1}`;
    if (this.life > 0 || number !== this.index + 1)
      return this.setContext(new Context(this, this.id, number, number, surroundings));
    // Most replicas live in their first one, which is the same in every schedule.
    this.firstContext ??= new Context(this, this.id, number, number, surroundings);
    this.firstContext.begin();
    return this.setContext(this.firstContext);
  }

  private setContext(context: ReplicaContext): ReplicaContext {
    this.context = context;
    return context;
  }

  /** For copies of the replica: the same identity, other random numbers, so that copying changes nothing for it. */
  contextForCopies(surroundings: Surroundings): ReplicaContext {
    const apart: Surroundings = {
      reaches: (region, other) => surroundings.reaches(region, other),
      learned: () => {},
      world: surroundings.world,
      randomSeed: surroundings.randomSeed,
    };
    return new Context(this, this.id, this.context.number, -this.context.number, apart);
  }
}
