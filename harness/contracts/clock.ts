/**
 * A wall clock. Locks, clocks and CRDTs under test take one as an argument and never read a global, so that offsets
 * and steps of the clock reach them.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch, as this participant believes them. May step, in both directions. */
  now(): number;
}
