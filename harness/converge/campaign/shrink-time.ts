const SHARE = 1 / 4;
const LEAST_MS = 2_000;
const MOST_MS = 10_000;

/**
 * What all counterexamples of a run with a limit of time may take together beyond it: a quarter of it, 2 s at least and
 * 10 s at most. A run that only schedules limit has no such limit, so that the same seed gives the same bytes.
 */
export function shrinkTimeMs(timeMs: number): number {
  return Math.min(MOST_MS, Math.max(LEAST_MS, timeMs * SHARE));
}
