import type { World } from "../world.ts";

/** The link between region a and its b-th peer breaks, in both directions. */
export function cutEvent(world: World, a: number, b: number): boolean {
  const count = world.regions.length;
  const one = a % count;
  const other = (one + 1 + (b % (count - 1))) % count;
  if (!world.reaches(one, other)) return false;
  setLink(world, one, other, 1);
  return true;
}

/** The a-th of the links that are cut heals. */
export function healEvent(world: World, a: number): boolean {
  if (world.cuts === 0) return false;
  const count = world.regions.length;
  let nth = a % world.cuts;
  for (let one = 0; one < count; one++) {
    for (let other = one + 1; other < count; other++) {
      if (world.reaches(one, other) || nth-- > 0) continue;
      setLink(world, one, other, 0);
      return true;
    }
  }
  return false;
}

function setLink(world: World, one: number, other: number, state: 0 | 1): void {
  const count = world.regions.length;
  world.cut[one * count + other] = state;
  world.cut[other * count + one] = state;
  world.cuts += state === 1 ? 1 : -1;
  world.lastRegion = one;
  world.lastChoice = other;
}
