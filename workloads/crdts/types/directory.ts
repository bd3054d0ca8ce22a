import { homeOfKey, NotHomeError } from "./home-region.ts";
import { emptyMap, mapGet, mapWith, mergeMaps, type SortedMap } from "./sorted-map.ts";
import { compareTags, type Tag } from "./tag.ts";

/** Someone was given an address. */
export interface Claim {
  readonly owner: string;
  readonly tag: Tag;
}

/**
 * Who owns which e-mail address. Uniqueness cannot be merged: two regions that both find an address free both say yes,
 * and both answers are out. The merge can only keep both claims and show it. A register would hide one of them, which is
 * worse: that customer has an account and loses it. What helps is to decide each address in one region, its home.
 * Source: P. Bailis et al.: Coordination Avoidance in Database Systems (VLDB 2015), table 2: uniqueness of specific
 * values is not invariant confluent.
 */
export type Directory = SortedMap<readonly Claim[]>;

/** The address has an owner. Nothing was changed. */
export class TakenError extends Error {
  readonly code = "TAKEN";

  constructor(address: string, owner: string) {
    super(`${address} belongs to ${owner}.`);
    this.name = "TakenError";
  }
}

export function emptyDirectory(): Directory {
  return emptyMap();
}

/** Claims an address that is free as far as this state knows, which is not enough. @throws TakenError */
export function claimLocally(directory: Directory, address: string, owner: string, tag: Tag): Directory {
  const [holder] = mapGet(directory, address) ?? [];
  if (holder !== undefined) throw new TakenError(address, holder.owner);
  return mapWith(directory, address, [{ owner, tag }]);
}

/**
 * Claims an address if `region` is its home.
 * @param regions all regions, in the same order everywhere
 * @throws NotHomeError naming the region to ask; TakenError
 */
export function claimAtHome(
  directory: Directory,
  address: string,
  owner: string,
  tag: Tag,
  regions: readonly string[],
): Directory {
  const home = homeOfKey(address, regions);
  if (tag.region !== home) throw new NotHomeError(tag.region, home);
  return claimLocally(directory, address, owner, tag);
}

/** Everyone who was told that the address is theirs. More than one: uniqueness is broken. */
export function ownersOf(directory: Directory, address: string): string[] {
  return (mapGet(directory, address) ?? []).map(({ owner }) => owner);
}

export function mergeDirectories(a: Directory, b: Directory): Directory {
  return mergeMaps(a, b, mergeClaims);
}

function mergeClaims(a: readonly Claim[], b: readonly Claim[]): readonly Claim[] {
  const unknown = b.filter((claim) => !a.some(({ tag }) => compareTags(tag, claim.tag) === 0));
  if (unknown.length === 0) return a;
  return [...a, ...unknown].sort((one, other) => compareTags(one.tag, other.tag));
}
