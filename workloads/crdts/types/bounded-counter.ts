import { assertInteger } from "./pn-counter.ts";
import { emptyMap, mapGet, mapWith, mergeMaps, type SortedMap } from "./sorted-map.ts";

/**
 * A counter that never goes below zero, without asking anyone: stock that is not oversold. Every unit belongs to one
 * region, which alone may use it up; a region that runs out is given rights by another. Nobody can use a right that is
 * still on its way.
 * Sources: P. O'Neil: The Escrow Transactional Method (ACM TODS, 1986); V. Balegas et al.: Extending Eventually
 * Consistent Cloud Databases for Enforcing Numeric Invariants (SRDS 2015), figure 2.
 */
export interface BoundedCounter {
  /** From -> to -> units given, in all. A region's own entry, `granted[r][r]`, is what it brought in. */
  readonly granted: SortedMap<SortedMap<number>>;
  /** Region -> units used up, in all. */
  readonly used: SortedMap<number>;
}

const EMPTY: BoundedCounter = { granted: emptyMap(), used: emptyMap() };

export function emptyBoundedCounter(): BoundedCounter {
  return EMPTY;
}

/** A region has fewer rights than it wants to use or give. */
export class InsufficientRightsError extends Error {
  readonly code = "INSUFFICIENT_RIGHTS";

  constructor(region: string, wanted: number, held: number) {
    super(`${region} holds the rights to ${held} and wants ${wanted}: it can ask another region for a transfer.`);
    this.name = "InsufficientRightsError";
  }
}

/** Brings in `amount` new units, which belong to `region`. */
export function increase(counter: BoundedCounter, region: string, amount: number): BoundedCounter {
  assertAmount(amount);
  return grant(counter, region, region, amount);
}

/** @throws InsufficientRightsError, whatever other regions may have left */
export function decrease(counter: BoundedCounter, region: string, amount: number): BoundedCounter {
  assertRights(counter, region, amount);
  if (amount === 0) return counter;
  return {
    granted: counter.granted,
    used: mapWith(counter.used, region, (mapGet(counter.used, region) ?? 0) + amount),
  };
}

/** Gives rights away: gone here at once, there when the state arrives. @throws InsufficientRightsError */
export function transferRights(counter: BoundedCounter, from: string, to: string, amount: number): BoundedCounter {
  assertRights(counter, from, amount);
  return from === to ? counter : grant(counter, from, to, amount);
}

/** What `region` may use up or give away, as far as this state knows; never more than it has. */
export function rightsOf({ granted, used }: BoundedCounter, region: string): number {
  let rights = -(mapGet(used, region) ?? 0);
  for (let row = 0; row < granted.keys.length; row += 1) {
    const from = granted.keys[row] as string;
    const { keys, values } = granted.values[row] as SortedMap<number>;
    for (let column = 0; column < keys.length; column += 1) {
      const amount = values[column] as number;
      if (keys[column] === region) rights += amount;
      else if (from === region) rights -= amount;
    }
  }
  return rights;
}

export function boundedCounterValue({ granted, used }: BoundedCounter): number {
  let value = 0;
  for (let row = 0; row < granted.keys.length; row += 1) {
    value += mapGet(granted.values[row] as SortedMap<number>, granted.keys[row] as string) ?? 0;
  }
  for (const amount of used.values) value -= amount;
  return value;
}

/** Entry by entry the greater one: only the region of a row writes it, and it only grows. */
export function mergeBoundedCounters(a: BoundedCounter, b: BoundedCounter): BoundedCounter {
  if (a === b) return a;
  const granted = mergeMaps(a.granted, b.granted, mergeAmounts);
  const used = mergeAmounts(a.used, b.used);
  if (granted === a.granted && used === a.used) return a;
  return granted === b.granted && used === b.used ? b : { granted, used };
}

const mergeAmounts = (a: SortedMap<number>, b: SortedMap<number>) => mergeMaps(a, b, Math.max);

function grant(counter: BoundedCounter, from: string, to: string, amount: number): BoundedCounter {
  if (amount === 0) return counter;
  const row = mapGet(counter.granted, from) ?? emptyMap<number>();
  const grown = (mapGet(row, to) ?? 0) + amount;
  assertInteger(grown);
  return { granted: mapWith(counter.granted, from, mapWith(row, to, grown)), used: counter.used };
}

function assertRights(counter: BoundedCounter, region: string, amount: number): void {
  assertAmount(amount);
  const held = rightsOf(counter, region);
  if (amount > held) throw new InsufficientRightsError(region, amount, held);
}

function assertAmount(amount: number): void {
  assertInteger(amount);
  if (amount < 0) throw new TypeError(`An amount is at least 0, and ${amount} is less.`);
}
