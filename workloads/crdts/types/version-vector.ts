import { emptyMap, mapGet, mapWith, mergeMaps, type SortedMap } from "./sorted-map.ts";
import type { Tag } from "./tag.ts";

/**
 * Region -> how many of its operations are known. Meant for states that always know a region's operations from the
 * first on without a gap.
 * Source: D. S. Parker et al.: Detection of Mutual Inconsistency in Distributed Systems (IEEE TSE, 1983).
 */
export type VersionVector = SortedMap<number>;

export function emptyVersion(): VersionVector {
  return emptyMap();
}

export function sequenceOf(version: VersionVector, region: string): number {
  return mapGet(version, region) ?? 0;
}

/** Is the operation known? */
export function covers(version: VersionVector, { region, sequence }: Tag): boolean {
  return sequence <= sequenceOf(version, region);
}

/** The version with this operation, and those of its region before it, known. */
export function withTag(version: VersionVector, tag: Tag): VersionVector {
  return covers(version, tag) ? version : mapWith(version, tag.region, tag.sequence);
}

/** The tag of the region's next operation. */
export function nextTag(version: VersionVector, region: string): Tag {
  return { region, sequence: sequenceOf(version, region) + 1 };
}

export function mergeVersions(a: VersionVector, b: VersionVector): VersionVector {
  return mergeMaps(a, b, Math.max);
}

/** Does `a` know everything that `b` knows? */
export function dominates(a: VersionVector, b: VersionVector): boolean {
  if (a === b) return true;
  for (let index = 0; index < b.keys.length; index += 1) {
    if (sequenceOf(a, b.keys[index] as string) < (b.values[index] as number)) return false;
  }
  return true;
}

/** What all of them know. An empty list knows nothing. */
export function commonVersion(versions: readonly VersionVector[]): VersionVector {
  const [first, ...rest] = versions;
  if (first === undefined) return emptyVersion();
  let common = emptyVersion();
  for (let index = 0; index < first.keys.length; index += 1) {
    const region = first.keys[index] as string;
    const sequence = Math.min(first.values[index] as number, ...rest.map((version) => sequenceOf(version, region)));
    if (sequence > 0) common = mapWith(common, region, sequence);
  }
  return common;
}
