import { emptyMap, mapGet, mapWith, mapWithout, mergeMaps, type SortedMap } from "./sorted-map.ts";
import { compareTags, hasTag, NO_TAGS, type Tag, type Tags, unionTags } from "./tag.ts";
import {
  commonVersion,
  covers,
  dominates,
  emptyVersion,
  mergeVersions,
  nextTag,
  type VersionVector,
  withTag,
} from "./version-vector.ts";

/** An add that was taken away, and the remove that did it (of several, the first by order of tags). */
export interface Tombstone {
  readonly tag: Tag;
  readonly by: Tag;
}

export interface CollectedMembership {
  readonly live: Tags;
  /** Sorted by `tag`. */
  readonly tombstones: readonly Tombstone[];
}

/**
 * An add-wins set that gets rid of its tombstones. Adds and removes are both counted in the version vector; the matrix
 * holds, per region, the version that this region is known to have reached. A tombstone goes, together with its add,
 * once every region of a fixed membership is known to have seen the remove. Nothing that was collected comes back:
 *
 * - a state whose version the receiver dominates is ignored, and
 * - an unknown tag at or below the receiver's version for its region is dead. The first rule alone is not enough: an old
 *   snapshot still in flight may carry the collected add beside something new.
 *
 * Sources: G. T. J. Wuu, A. J. Bernstein: Efficient Solutions to the Replicated Log and Dictionary Problems (PODC 1984)
 * for the matrix; A. Bieniusa et al.: An optimized conflict-free replicated set (INRIA RR-8083, 2012) for the dead tags.
 */
export interface CollectedSet {
  readonly elements: SortedMap<CollectedMembership>;
  readonly version: VersionVector;
  /** Never above `version`, row by row. */
  readonly matrix: SortedMap<VersionVector>;
}

const EMPTY: CollectedSet = { elements: emptyMap(), version: emptyVersion(), matrix: emptyMap() };
const ABSENT: CollectedMembership = { live: NO_TAGS, tombstones: [] };

export function emptyCollectedSet(): CollectedSet {
  return EMPTY;
}

export function addToCollectedSet(set: CollectedSet, region: string, element: string): CollectedSet {
  const tag = nextTag(set.version, region);
  const { live, tombstones } = mapGet(set.elements, element) ?? ABSENT;
  return advance(set, region, tag, element, { live: unionTags(live, [tag]), tombstones });
}

/** Takes the adds seen here. The same set if the element is not in it. */
export function removeFromCollectedSet(set: CollectedSet, region: string, element: string): CollectedSet {
  const { live, tombstones } = mapGet(set.elements, element) ?? ABSENT;
  if (live.length === 0) return set;
  const by = nextTag(set.version, region);
  const buried = [...tombstones, ...live.map((tag) => ({ tag, by }))].sort((a, b) => compareTags(a.tag, b.tag));
  return advance(set, region, by, element, { live: NO_TAGS, tombstones: buried });
}

/** The elements, sorted by UTF-16 code unit, without duplicates. */
export function collectedSetValues({ elements }: CollectedSet): string[] {
  return elements.keys.filter((_, index) => (elements.values[index] as CollectedMembership).live.length > 0);
}

/** @param region whose state `ours` is: it now knows what the merged version says */
export function mergeCollectedSets(region: string, ours: CollectedSet, theirs: CollectedSet): CollectedSet {
  const ignored = dominates(ours.version, theirs.version);
  const version = ignored ? ours.version : mergeVersions(ours.version, theirs.version);
  const elements = ignored ? ours.elements : mergeElements(ours, theirs);
  let matrix = mergeMaps(ours.matrix, theirs.matrix, mergeVersions);
  if (!ignored) matrix = mapWith(matrix, region, version);
  if (version === ours.version && elements === ours.elements && matrix === ours.matrix) return ours;
  return { elements, version, matrix };
}

/** What every region of the membership is known to have seen. */
export function stableCut({ matrix }: CollectedSet, membership: readonly string[]): VersionVector {
  return commonVersion(membership.map((region) => mapGet(matrix, region) ?? emptyVersion()));
}

/**
 * Drops the tombstones of removes within the cut.
 * @param cut at most what every region has seen, as from `stableCut`
 */
export function collectTombstones(set: CollectedSet, cut: VersionVector): CollectedSet {
  let elements = set.elements;
  for (let index = 0; index < set.elements.keys.length; index += 1) {
    const element = set.elements.keys[index] as string;
    const { live, tombstones } = set.elements.values[index] as CollectedMembership;
    const kept = tombstones.filter(({ by }) => !covers(cut, by));
    if (kept.length === tombstones.length) continue;
    elements =
      live.length === 0 && kept.length === 0
        ? mapWithout(elements, element)
        : mapWith(elements, element, { live, tombstones: kept });
  }
  return elements === set.elements ? set : { elements, version: set.version, matrix: set.matrix };
}

export function countTombstones({ elements }: CollectedSet): number {
  return elements.values.reduce((count, { tombstones }) => count + tombstones.length, 0);
}

function advance(
  set: CollectedSet,
  region: string,
  tag: Tag,
  element: string,
  membership: CollectedMembership,
): CollectedSet {
  const version = withTag(set.version, tag);
  return {
    elements: mapWith(set.elements, element, membership),
    version,
    matrix: mapWith(set.matrix, region, version),
  };
}

function mergeElements(ours: CollectedSet, theirs: CollectedSet): SortedMap<CollectedMembership> {
  const elements = new Set([...ours.elements.keys, ...theirs.elements.keys]);
  let merged = ours.elements;
  for (const element of elements) {
    const before = mapGet(ours.elements, element) ?? ABSENT;
    const after = mergeMembership(before, ours.version, mapGet(theirs.elements, element) ?? ABSENT, theirs.version);
    if (after === before) continue;
    merged =
      after.live.length === 0 && after.tombstones.length === 0
        ? mapWithout(merged, element)
        : mapWith(merged, element, after);
  }
  return merged;
}

function mergeMembership(
  ours: CollectedMembership,
  ourVersion: VersionVector,
  theirs: CollectedMembership,
  theirVersion: VersionVector,
): CollectedMembership {
  const tombstones = mergeTombstones(ours.tombstones, theirs.tombstones, ourVersion);
  const buried = tombstones.map(({ tag }) => tag);
  const isDead = (tag: Tag, others: CollectedMembership, othersVersion: VersionVector) =>
    hasTag(buried, tag) || (!hasTag(others.live, tag) && covers(othersVersion, tag));
  const live = unionTags(
    ours.live.filter((tag) => !isDead(tag, theirs, theirVersion)),
    theirs.live.filter((tag) => !isDead(tag, ours, ourVersion)),
  );
  return live.length === ours.live.length && tombstones === ours.tombstones && unionTags(ours.live, live) === ours.live
    ? ours
    : { live, tombstones };
}

/** A tombstone that is unknown here although its remove is known was collected, and stays so. */
function mergeTombstones(
  ours: readonly Tombstone[],
  theirs: readonly Tombstone[],
  ourVersion: VersionVector,
): readonly Tombstone[] {
  let merged: Tombstone[] | undefined;
  for (const theirTombstone of theirs) {
    const index = ours.findIndex(({ tag }) => compareTags(tag, theirTombstone.tag) === 0);
    const known = ours[index];
    if (known === undefined ? covers(ourVersion, theirTombstone.by) : compareTags(known.by, theirTombstone.by) <= 0) {
      continue;
    }
    merged ??= ours.slice();
    if (known === undefined) merged.push(theirTombstone);
    else merged[index] = theirTombstone;
  }
  return merged === undefined ? ours : merged.sort((a, b) => compareTags(a.tag, b.tag));
}
