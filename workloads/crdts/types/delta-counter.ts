import type { DeltaType } from "./delta.ts";
import { addToCounter, emptyCounter, mergeCounters, type PnCounter } from "./pn-counter.ts";
import { emptyMap, mapGet, mapOf } from "./sorted-map.ts";

/**
 * The positive-negative counter by deltas: a change is the one slot that it touched, with its new sum. Sums make a
 * change safe to join twice; an increment would not be.
 * Source: Almeida et al. 2018, figure 1.
 */
export const deltaCounter: DeltaType<PnCounter, PnCounter> = {
  empty: emptyCounter(),
  join: (counter, _version, change) => mergeCounters(counter, change),
  joinChanges: mergeCounters,
  joinStates: (ours, _ourVersion, theirs) => mergeCounters(ours, theirs),
};

/** The change that adding `delta` makes. @throws TypeError if it is no integer */
export function counterChange(counter: PnCounter, region: string, delta: number): PnCounter {
  const { p, n } = addToCounter(counter, region, delta);
  const slot = (side: PnCounter["p"]) => mapOf([[region, mapGet(side, region) ?? 0]]);
  if (delta === 0) return emptyCounter();
  return delta > 0 ? { p: slot(p), n: emptyMap() } : { p: emptyMap(), n: slot(n) };
}
