/**
 * A row whose writes all go through one region, its home. There is nothing to merge: the greater version is the later
 * one. The price is a round trip for every write from elsewhere, and no writes at all while the home is out of reach.
 * A home can be moved, by itself: the hand-over is a write like any other.
 */
export interface HomeRow<Value = unknown> {
  readonly home: string;
  readonly value: Value;
  /** Counts the writes, the creation being 1. */
  readonly version: number;
}

/** The write belongs elsewhere. Nothing was changed. */
export class NotHomeError extends Error {
  readonly code = "NOT_HOME";
  readonly home: string;

  constructor(region: string, home: string) {
    super(`${region} is not the home of this row: send the write to ${home}.`);
    this.name = "NotHomeError";
    this.home = home;
  }
}

export function createHomeRow<Value>(home: string, value: Value): HomeRow<Value> {
  return { home, value, version: 1 };
}

/** @throws NotHomeError with code `NOT_HOME`, naming the home */
export function writeHomeRow<Value>(row: HomeRow<Value>, region: string, value: Value): HomeRow<Value> {
  assertHome(row, region);
  return { home: row.home, value, version: row.version + 1 };
}

/** From now on `to` takes the writes, as soon as it has heard of it; until then nobody does. @throws NotHomeError */
export function moveHome<Value>(row: HomeRow<Value>, region: string, to: string): HomeRow<Value> {
  assertHome(row, region);
  return { home: to, value: row.value, version: row.version + 1 };
}

export function laterHomeRow<Value>(a: HomeRow<Value>, b: HomeRow<Value>): HomeRow<Value> {
  return a.version >= b.version ? a : b;
}

/** The later version; a missing side yields the other. */
export function mergeHomeRows<Value>(
  a: HomeRow<Value> | undefined,
  b: HomeRow<Value> | undefined,
): HomeRow<Value> | undefined {
  if (a === undefined) return b;
  return b === undefined ? a : laterHomeRow(a, b);
}

/**
 * The home that a key has without being told: the same everywhere, and spread over the regions (FNV-1a, 32 bit).
 * @param regions at least one, the same list in the same order everywhere
 */
export function homeOfKey(key: string, regions: readonly string[]): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  const home = regions[(hash >>> 0) % regions.length];
  if (home === undefined) throw new TypeError("A key needs at least one region to be at home in.");
  return home;
}

function assertHome({ home }: HomeRow, region: string): void {
  if (region !== home) throw new NotHomeError(region, home);
}
