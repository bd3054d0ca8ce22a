import type { DeltaType } from "./delta.ts";
import { emptyMap, mapGet, mapOf, mapWith, mapWithout, type SortedMap } from "./sorted-map.ts";
import { hasTag, NO_TAGS, type Tag, type Tags, unionTags } from "./tag.ts";
import { covers } from "./version-vector.ts";

/** Element -> the adds that keep it in the set. */
export type LiveAdds = SortedMap<Tags>;

export interface SetChange {
  readonly live: LiveAdds;
  /** The adds that this change is about. Those of them that are not in `live` were removed. */
  readonly context: Tags;
}

/**
 * The add-wins set by deltas, without tombstones: an add that is known and not there was removed. What is known is told
 * by the version vector, hence the need for changes without a gap.
 * Sources: A. Bieniusa et al.: An optimized conflict-free replicated set (INRIA RR-8083, 2012); Almeida et al. 2018,
 * figure 4 (add-wins set on a causal context).
 */
export const deltaSet: DeltaType<LiveAdds, SetChange> = {
  empty: emptyMap(),
  join: (live, version, change) => joinLive(live, (tag) => covers(version, tag), change.live, inTags(change.context)),
  joinChanges: (earlier, later) => ({
    live: joinLive(earlier.live, inTags(earlier.context), later.live, inTags(later.context)),
    context: unionTags(earlier.context, later.context),
  }),
  joinStates: (ours, ourVersion, theirs, theirVersion) =>
    joinLive(
      ours,
      (tag) => covers(ourVersion, tag),
      theirs,
      (tag) => covers(theirVersion, tag),
    ),
};

/** The change that adding makes: the new add takes the place of those seen. @param tag that of this very operation */
export function addChange(live: LiveAdds, element: string, tag: Tag): SetChange {
  return { live: mapOf([[element, [tag]]]), context: unionTags(mapGet(live, element) ?? NO_TAGS, [tag]) };
}

/** The change that removing makes: the adds seen are gone. */
export function removeChange(live: LiveAdds, element: string): SetChange {
  return { live: emptyMap(), context: mapGet(live, element) ?? NO_TAGS };
}

/** An add stays if both have it, or if the side without it does not know it. */
function joinLive(
  ours: LiveAdds,
  weKnow: (tag: Tag) => boolean,
  theirs: LiveAdds,
  theyKnow: (tag: Tag) => boolean,
): LiveAdds {
  let joined = ours;
  for (const element of new Set([...ours.keys, ...theirs.keys])) {
    const ourAdds = mapGet(ours, element) ?? NO_TAGS;
    const theirAdds = mapGet(theirs, element) ?? NO_TAGS;
    const kept = unionTags(
      ourAdds.filter((tag) => hasTag(theirAdds, tag) || !theyKnow(tag)),
      theirAdds.filter((tag) => hasTag(ourAdds, tag) || !weKnow(tag)),
    );
    if (kept.length === 0) joined = mapWithout(joined, element);
    else if (kept.length !== ourAdds.length || unionTags(ourAdds, kept) !== ourAdds) {
      joined = mapWith(joined, element, kept);
    }
  }
  return joined;
}

const inTags = (tags: Tags) => (tag: Tag) => hasTag(tags, tag);
