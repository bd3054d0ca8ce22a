import { HEADER, STRIDE } from "../plan/event.ts";

/** The deepest exhaustive search. */
export const MAX_DEPTH = 64;

/** What a parent sees of a thread that cannot answer: 32-bit words of shared memory. */
export const HEARTBEAT = {
  /** Schedules begun, and the event that runs: when neither moves, a step hangs. */
  schedules: 0,
  event: 1,
  /** Index of the schedule that runs, low and high 32 bits. */
  indexLow: 2,
  indexHigh: 3,
  /** Process id of a replica in another language, 0 if there is none. */
  childPid: 4,
  /** 1: what runs is to end soon, with what it has. */
  stop: 5,
  /** Of an exhaustive search, whose schedules have no seed to make them again: how many events the one that runs has. */
  events: 6,
  /** The schedule itself begins here. */
  schedule: 7,
  length: 7 + HEADER + MAX_DEPTH * STRIDE,
} as const;
