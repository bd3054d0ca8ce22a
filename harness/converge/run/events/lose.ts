import { MESSAGE } from "../mailbox.ts";
import type { World } from "../world.ts";

/** The a-th message in flight is lost. It may still turn up late, by `again`. */
export function loseEvent(world: World, a: number): boolean {
  const { mail } = world;
  if (mail.inFlightCount === 0) return false;
  const place = a % mail.inFlightCount;
  const message = mail.inFlight[place]!;
  world.lastRegion = mail.to[message]!;
  world.lastMessage = message;
  world.lastChoice = place;
  mail.takeOut(place, MESSAGE.lost);
  return true;
}
