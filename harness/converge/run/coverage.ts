import { EVENT_KINDS } from "../plan/event.ts";

/** Things that a campaign should have met at least once, by what they are called in results. */
export const SOMETIMES = {
  duplicateLate: "a duplicate was delivered after later messages",
  outOfOrder: "a message overtook an earlier one",
  toFormerLife: "a message reached a replica that had lost everything since",
  gap: "a message arrived before its causes",
  concurrentWrites: "concurrent writes of one register met",
  tie: "a tie of timestamps was decided",
  concurrentRemove: "a remove met a concurrent add",
  restartBetween: "a replica restarted between an add and its remove",
  pendingLost: "a restart lost operations that waited for their causes",
  forgotten: "a loss of everything took operations that nobody else had",
  driftRefusal: "a message was refused for clock drift",
  otherRefusal: "a message was refused for another reason",
  operationRefused: "a local operation was refused",
  clockBack: "a wall clock stepped back behind an issued stamp",
  collectedInPartition: "a collection ran during a partition",
  collectedSome: "a collection dropped tombstones",
  forwardedAgain: "a message reached a replica over two ways",
} as const;

export type SometimesKey = keyof typeof SOMETIMES;

export const SOMETIMES_KEYS = Object.keys(SOMETIMES) as readonly SometimesKey[];
export const AT = Object.fromEntries(SOMETIMES_KEYS.map((key, index) => [key, index])) as Readonly<
  Record<SometimesKey, number>
>;

/** What ran, summed over schedules. Plain numbers, so that threads can add theirs up. */
export class Coverage {
  schedules = 0;
  deepSchedules = 0;
  /** Events that did something, by kind, and those that found nothing to do. */
  readonly events = new Float64Array(EVENT_KINDS.length);
  skipped = 0;
  readonly sometimes = new Float64Array(SOMETIMES_KEYS.length);

  met(index: number): void {
    this.sometimes[index]!++;
  }

  take(other: CoverageNumbers): void {
    this.schedules += other.schedules;
    this.deepSchedules += other.deepSchedules;
    this.skipped += other.skipped;
    for (let index = 0; index < this.events.length; index++) this.events[index]! += other.events[index]!;
    for (let index = 0; index < this.sometimes.length; index++) this.sometimes[index]! += other.sometimes[index]!;
  }

  reset(): void {
    this.schedules = 0;
    this.deepSchedules = 0;
    this.skipped = 0;
    this.events.fill(0);
    this.sometimes.fill(0);
  }

  /** Events that did something. */
  get total(): number {
    return this.events.reduce((sum, count) => sum + count, 0);
  }

  histogram(): Record<string, number> {
    const counts = Object.fromEntries(EVENT_KINDS.map((kind, index) => [kind, this.events[index]!]));
    return { ...counts, "nothing to do": this.skipped };
  }

  /** @param possible what can be met at all; what cannot is left out, unless it was met */
  sometimesCounts(possible: readonly SometimesKey[] = SOMETIMES_KEYS): Record<string, number> {
    const shown = SOMETIMES_KEYS.filter((key) => possible.includes(key) || this.sometimes[AT[key]]! > 0);
    return Object.fromEntries(shown.map((key) => [SOMETIMES[key], this.sometimes[AT[key]]!]));
  }

  numbers(): CoverageNumbers {
    return {
      schedules: this.schedules,
      deepSchedules: this.deepSchedules,
      skipped: this.skipped,
      events: Array.from(this.events),
      sometimes: Array.from(this.sometimes),
    };
  }
}

export interface CoverageNumbers {
  schedules: number;
  deepSchedules: number;
  skipped: number;
  events: readonly number[];
  sometimes: readonly number[];
}
