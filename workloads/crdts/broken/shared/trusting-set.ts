import { type CollectedSet, collectTombstones, mergeCollectedSets, stableCut } from "../../types/collected-set.ts";
import { mapGet, mapWith } from "../../types/sorted-map.ts";
import { NO_TAGS, type Tag, unionTags } from "../../types/tag.ts";

/**
 * Merges as the collected set does, but lets an add live on that the sender has collected: it is dead only when there is
 * a tombstone for it. The usual set with tombstones does so, and it is why the time of a collection matters.
 */
export function mergeTrustingTombstones(region: string, ours: CollectedSet, theirs: CollectedSet): CollectedSet {
  return mergeCollectedSets(region, ours, withAdds(theirs, ours));
}

/** As above, and an add that was collected here is taken in again as well. */
export function mergeForgetting(region: string, ours: CollectedSet, theirs: CollectedSet): CollectedSet {
  return mergeCollectedSets(region, withAdds(ours, theirs), withAdds(theirs, ours));
}

/** A collection at the right time: of what every region is known to have seen. */
export function collectStable(set: CollectedSet, regions: readonly string[]): CollectedSet {
  return collectTombstones(set, stableCut(set, regions));
}

/** The set with the other's adds, as if it had never collected them. */
function withAdds(set: CollectedSet, other: CollectedSet): CollectedSet {
  let { elements } = set;
  for (const [at, element] of other.elements.keys.entries()) {
    const { live, tombstones } = mapGet(elements, element) ?? { live: NO_TAGS, tombstones: [] };
    const isBuried = (tag: Tag) =>
      tombstones.some((each) => each.tag.region === tag.region && each.tag.sequence === tag.sequence);
    const missing = (other.elements.values[at]?.live ?? NO_TAGS).filter((tag) => !isBuried(tag));
    if (missing.length > 0) elements = mapWith(elements, element, { live: unionTags(live, missing), tombstones });
  }
  return { ...set, elements };
}
