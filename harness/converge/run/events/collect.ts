import { AT } from "../coverage.ts";
import { judge } from "../judge.ts";
import type { Region } from "../region.ts";
import { atOnce } from "../synchronous.ts";
import type { World } from "../world.ts";

/** Region a collects garbage, with what it knows of the others. */
export function collectEvent(world: World, a: number): boolean {
  const region = world.regions[a % world.regions.length]!;
  world.lastRegion = region.index;
  if (world.cuts > 0) world.coverage.met(AT.collectedInPartition);
  const before = tombstones(world, region);
  collect(world, region);
  if (tombstones(world, region) < before) world.coverage.met(AT.collectedSome);
  judge(world, region);
  return true;
}

const tombstones = ({ adapter }: World, { replica }: Region): number =>
  atOnce(replica.tombstones?.(), "tombstones", adapter) ?? 0;

/** Hands a region its column of the matrix of versions. */
export function collect(world: World, region: Region): void {
  const { regions } = world;
  const versions = regions.map((_, peer) =>
    peer === region.index
      ? atOnce(region.replica.version?.(), "version", world.adapter)
      : world.peerVersion[region.index * regions.length + peer],
  );
  const answer: unknown = region.replica.collect!({
    regions: regions.map(({ id }) => id),
    versions,
    reachable: regions.map(({ index }) => world.reaches(region.index, index)),
  });
  atOnce(answer, "collect", world.adapter);
}
