import { AT } from "../coverage.ts";
import type { Region } from "../region.ts";
import type { World } from "../world.ts";

/**
 * Region a loses everything and comes back empty: under a fresh id, or, when b is odd and the type claims to survive it,
 * under the same.
 */
export function amnesiaEvent(world: World, a: number, b: number): boolean {
  const { regions, adapter } = world;
  const region = regions[a % regions.length]!;
  const sameId = b % 2 === 1 && (adapter.survives ?? []).includes("identity");
  noteForgotten(world, region);
  world.truth.forget(region.index);
  world.lastRegion = region.index;
  world.lastDetail = sameId ? "same id" : "";
  region.forget();
  if (!sameId) {
    region.life++;
    forgetPeer(world, region.index);
  }
  for (let peer = 0; peer < regions.length; peer++) forgetPair(world, region.index * regions.length + peer);
  world.create(region);
  return true;
}

/** The others know nothing about the newcomer. */
function forgetPeer(world: World, index: number): void {
  const count = world.regions.length;
  for (let other = 0; other < count; other++) forgetPair(world, other * count + index);
}

function forgetPair(world: World, pair: number): void {
  const { words } = world.truth;
  world.peerVersion[pair] = undefined;
  world.peerSequence[pair] = -1;
  world.peerKnown.fill(0, pair * words, (pair + 1) * words);
}

function noteForgotten({ truth, regions, coverage }: World, region: Region): void {
  for (let operation = 0; operation < truth.count; operation++) {
    if (!truth.knows(region.index, operation)) continue;
    if (regions.some((other) => other !== region && truth.knows(other.index, operation))) continue;
    coverage.met(AT.forgotten);
    return;
  }
}
