import { emptyMap, mapGet, mapWith, mergeMaps, type SortedMap } from "./sorted-map.ts";
import { NO_TAGS, type Tag, type Tags, unionTags, withoutTags } from "./tag.ts";

/** What is known of one element. */
export interface Membership {
  /** Adds that no known remove took away. The element is in the set as long as there is one. */
  readonly live: Tags;
  /** Tombstones: adds that a remove took away. Kept, so that an old message cannot bring one of them back. */
  readonly removed: Tags;
}

/**
 * A set of strings in which an add wins over a concurrent remove (observed-remove set). Every add has a tag of its own;
 * a remove takes the tags it saw and no other. Tombstones stay for ever; `collected-set.ts` gets rid of them.
 * Source: Shapiro et al. 2011 (RR-7506), 3.3.5.
 */
export type OrSet = SortedMap<Membership>;

export function emptySet(): OrSet {
  return emptyMap();
}

/** @param tag a tag that was never used before, by anyone */
export function addToSet(set: OrSet, element: string, tag: Tag): OrSet {
  const membership = mapGet(set, element);
  return mapWith(
    set,
    element,
    membership === undefined
      ? { live: [tag], removed: NO_TAGS }
      : { live: unionTags(membership.live, [tag]), removed: membership.removed },
  );
}

/** Takes the adds seen here. The same set if the element is not in it. */
export function removeFromSet(set: OrSet, element: string): OrSet {
  const membership = mapGet(set, element);
  if (membership === undefined || membership.live.length === 0) return set;
  return mapWith(set, element, { live: NO_TAGS, removed: unionTags(membership.removed, membership.live) });
}

export function setHas(set: OrSet, element: string): boolean {
  return (mapGet(set, element)?.live.length ?? 0) > 0;
}

/** The elements, sorted by UTF-16 code unit, without duplicates. */
export function setValues(set: OrSet): string[] {
  const elements: string[] = [];
  for (let index = 0; index < set.keys.length; index += 1) {
    if ((set.values[index] as Membership).live.length > 0) elements.push(set.keys[index] as string);
  }
  return elements;
}

export function mergeSets(a: OrSet, b: OrSet): OrSet {
  return mergeMaps(a, b, mergeMemberships);
}

export function mergeMemberships(a: Membership, b: Membership): Membership {
  const removed = unionTags(a.removed, b.removed);
  const live = withoutTags(unionTags(a.live, b.live), removed);
  if (sameTags(live, a.live) && removed === a.removed) return a;
  if (sameTags(live, b.live) && removed === b.removed) return b;
  return { live, removed };
}

/** Both are subsets or unions of each other here, so that length decides unless tags were replaced. */
function sameTags(a: Tags, b: Tags): boolean {
  return a === b || (a.length === b.length && unionTags(a, b) === a);
}
