import type { RoundIndex } from "./round-index.ts";

/**
 * By how much the times that a process recorded may be wrong at most, ns. Workers of the orchestrator's machine share its
 * clock: 0. Those of other hosts are laid on it with a bound. Every check reckons with it in the direction in which it finds
 * less, so that no finding comes from a clock's error, and whatever lasts longer than the bounds is found all the same.
 */
export function clockErrorNs(
  { incarnations }: RoundIndex,
  { worker, incarnation }: { worker: number; incarnation: number },
): number {
  return incarnations.get(`${worker}.${incarnation}`)?.clockErrorNs ?? 0;
}
