/**
 * A schedule is one Int32Array: a header, then events of four small integers, [kind, a, b, c]. The integers are reduced
 * modulo whatever there is to choose from when the event runs, so that every sub-list of a schedule is a schedule.
 */
export const HEADER = 4;
export const STRIDE = 4;

/** Positions in the header. */
export const HEAD = {
  /** Which keys and elements the schedule uses: number of the pool (see pool.ts). */
  pool: 0,
  /** Encodings and orders of the final exchange. */
  finish: 1,
  /** Schedules whose draw is 0 modulo 16 (libraries: 20) run the deep oracles. */
  deep: 2,
  /** Seed of `context.random`. */
  random: 3,
} as const;

/** Kinds of events, in the order of their numbers. The numbers stand in replay files: only ever append. */
export const EVENT_KINDS = [
  "operation",
  "clock",
  "send",
  "deliver",
  "again",
  "lose",
  "cut",
  "heal",
  "restart",
  "amnesia",
  "collect",
  "forward",
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

export const KIND = Object.fromEntries(EVENT_KINDS.map((kind, number) => [kind, number])) as Readonly<
  Record<EventKind, number>
>;

export const eventCount = (schedule: Int32Array): number => (schedule.length - HEADER) / STRIDE;

/** How often each kind is drawn, in parts of the sum of those that the adapter can do. */
export const EVENT_WEIGHTS: Readonly<Record<EventKind, number>> = {
  operation: 80,
  clock: 22,
  send: 52,
  deliver: 62,
  again: 12,
  lose: 5,
  cut: 4,
  heal: 8,
  restart: 5,
  amnesia: 2,
  collect: 8,
  forward: 6,
};

/** Steps of a wall clock, in ms: mostly small, around the default drift guard of a minute, and far beyond it. */
export const CLOCK_STEPS_MS: readonly number[] = [
  1, -1, 0, 1, 2, 5, 10, -2, -10, 1, 1_000, -1_000, 1, 30_000, -30_000, 2, 59_999, 60_000, 60_001, -60_001, 1, 120_000,
  -120_000, 3_600_000, -3_600_000, 86_400_000, -86_400_000, 3,
];

/** Where every wall clock starts, in ms. Small enough that stamps stay 31-bit integers over many huge steps. */
export const EPOCH_MS = 100_000_000;
