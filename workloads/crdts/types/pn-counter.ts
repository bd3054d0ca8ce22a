import { emptyMap, mapGet, mapWith, mergeMaps, type SortedMap } from "./sorted-map.ts";

/**
 * A counter that every region may raise and lower. Each region writes only its own slot; a slot only grows, so the
 * greater of two is the later one, and a message counts once however often it arrives.
 * It has no floor: two regions that both sell the last piece leave -1. See `bounded-counter.ts`.
 * Source: Shapiro et al. 2011 (RR-7506), 3.1.3.
 */
export interface PnCounter {
  /** Region -> sum of what it added. */
  readonly p: SortedMap<number>;
  /** Region -> sum of what it took away, as a positive number. */
  readonly n: SortedMap<number>;
}

const ZERO: PnCounter = { p: emptyMap(), n: emptyMap() };

export function emptyCounter(): PnCounter {
  return ZERO;
}

/**
 * @param delta an integer, positive or negative
 * @throws TypeError if it is no integer, or if the region's sum would leave the safe integers
 */
export function addToCounter(counter: PnCounter, region: string, delta: number): PnCounter {
  assertInteger(delta);
  if (delta === 0) return counter;
  if (delta > 0) return { p: grow(counter.p, region, delta), n: counter.n };
  return { p: counter.p, n: grow(counter.n, region, -delta) };
}

export function counterValue({ p, n }: PnCounter): number {
  return sum(p.values) - sum(n.values);
}

export function mergeCounters(a: PnCounter, b: PnCounter): PnCounter {
  if (a === b) return a;
  const p = mergeMaps(a.p, b.p, Math.max);
  const n = mergeMaps(a.n, b.n, Math.max);
  if (p === a.p && n === a.n) return a;
  return p === b.p && n === b.n ? b : { p, n };
}

/** @throws TypeError */
export function assertInteger(delta: number): void {
  if (!Number.isSafeInteger(delta)) throw new TypeError(`A counter moves by whole numbers, and ${delta} is none.`);
}

function grow(slots: SortedMap<number>, region: string, by: number): SortedMap<number> {
  const grown = (mapGet(slots, region) ?? 0) + by;
  assertInteger(grown);
  return mapWith(slots, region, grown);
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
