/**
 * The unique name of one operation, such as one add to a set: the region and its count of operations so far. Also called
 * a dot. Unique as long as the count survives a restart, and a region that lost it comes back under a new id.
 */
export interface Tag {
  readonly region: string;
  /** From 1. */
  readonly sequence: number;
}

/** Tags sorted by region (UTF-16 code unit), then sequence, without duplicates. */
export type Tags = readonly Tag[];

export const NO_TAGS: Tags = [];

export function compareTags(a: Tag, b: Tag): number {
  if (a === b) return 0;
  if (a.region !== b.region) return a.region < b.region ? -1 : 1;
  return a.sequence - b.sequence;
}

export function hasTag(tags: Tags, tag: Tag): boolean {
  for (const each of tags) if (compareTags(each, tag) === 0) return true;
  return false;
}

/** All tags of either side. Returns `a` or `b` itself if that is the union. */
export function unionTags(a: Tags, b: Tags): Tags {
  if (a === b || b.length === 0) return a;
  if (a.length === 0) return b;
  const union: Tag[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const ofA = a[i];
    const ofB = b[j];
    const order = ofA === undefined ? 1 : ofB === undefined ? -1 : compareTags(ofA, ofB);
    union.push((order <= 0 ? ofA : ofB) as Tag);
    if (order <= 0) i += 1;
    if (order >= 0) j += 1;
  }
  if (union.length === a.length) return a;
  return union.length === b.length ? b : union;
}

/** The tags of `a` that are not in `b`. Returns `a` itself if there is none in common. */
export function withoutTags(a: Tags, b: Tags): Tags {
  if (a.length === 0 || b.length === 0) return a;
  const kept = a.filter((tag) => !hasTag(b, tag));
  return kept.length === a.length ? a : kept;
}

/** `cai:3`. */
export function formatTag({ region, sequence }: Tag): string {
  return `${region}:${sequence}`;
}
