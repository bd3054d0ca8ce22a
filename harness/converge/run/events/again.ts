import { AT } from "../coverage.ts";
import { checkRights } from "../global-checks.ts";
import { take } from "../take.ts";
import type { World } from "../world.ts";

/** The a-th past message, delivered or lost, arrives (once more). */
export function againEvent(world: World, a: number): boolean {
  const { mail, truth } = world;
  if (mail.pastCount === 0) return false;
  const place = a % mail.pastCount;
  const message = mail.past[place]!;
  const to = mail.to[message]!;
  if (!world.reaches(mail.via[message]!, to)) return false;
  if (world.causal && !truth.covers(to, mail.needs, message * truth.words)) return false;
  const region = world.regions[to]!;
  world.lastRegion = to;
  world.lastMessage = message;
  world.lastChoice = place;
  if (mail.taken[message]! > 0 && truth.known[to * truth.words] === 0) world.coverage.met(AT.toFormerLife);
  take(world, region, message);
  if (world.failure === undefined && world.multiRights) checkRights(world, region);
  return true;
}
