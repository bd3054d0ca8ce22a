import { CLOCK_STEPS_MS } from "../../plan/event.ts";
import { AT } from "../coverage.ts";
import type { World } from "../world.ts";

/** The wall clock of region a steps by entry b of CLOCK_STEPS_MS. It never shows less than 0. */
export function clockEvent(world: World, a: number, b: number): boolean {
  const region = world.regions[a % world.regions.length]!;
  const stepMs = CLOCK_STEPS_MS[b % CLOCK_STEPS_MS.length]!;
  world.lastRegion = region.index;
  world.lastChoice = stepMs;
  region.clock.ms = Math.max(0, region.clock.ms + stepMs);
  if (stepMs < 0 && region.clock.ms < region.stampL) world.coverage.met(AT.clockBack);
  return true;
}
