import { AT } from "../coverage.ts";
import { checkRights } from "../global-checks.ts";
import { MESSAGE } from "../mailbox.ts";
import { take } from "../take.ts";
import type { World } from "../world.ts";

/** The a-th message in flight that can arrive does. A refused one stays in flight. */
export function deliverEvent(world: World, a: number): boolean {
  const { mail } = world;
  const { inFlightCount } = mail;
  for (let step = 0; step < inFlightCount; step++) {
    const place = (a + step) % inFlightCount;
    const message = mail.inFlight[place]!;
    if (!canArrive(world, message)) continue;
    world.lastChoice = place;
    deliver(world, message, place);
    return true;
  }
  return false;
}

function deliver(world: World, message: number, place: number): void {
  const { mail, coverage } = world;
  const region = world.regions[mail.to[message]!]!;
  world.lastRegion = region.index;
  world.lastMessage = message;
  if (overtakes(world, place)) coverage.met(AT.outOfOrder);
  if (mail.copyOf[message]! >= 0 && mail.from[message] !== region.index) coverage.met(AT.forwardedAgain);
  take(world, region, message);
  if (world.failure !== undefined || world.lastRefusal !== undefined) return;
  mail.takeOut(place, MESSAGE.delivered);
  if (world.multiRights) checkRights(world, region);
}

/** Whether the link is up and the network's promises allow it. */
export function canArrive(world: World, message: number): boolean {
  const { mail, truth } = world;
  const to = mail.to[message]!;
  if (world.cuts > 0 && !world.reaches(mail.via[message]!, to)) return false;
  if (world.causal && !truth.covers(to, mail.needs, message * truth.words)) return false;
  return !world.fifo || isFirstInLine(world, message);
}

function isFirstInLine({ mail }: World, message: number): boolean {
  for (let place = 0; place < mail.inFlightCount; place++) {
    const other = mail.inFlight[place]!;
    if (other === message) return true;
    if (mail.to[other] === mail.to[message] && mail.from[other] === mail.from[message]) return false;
  }
  return true;
}

function overtakes({ mail }: World, place: number): boolean {
  const message = mail.inFlight[place]!;
  for (let earlier = 0; earlier < place; earlier++) {
    const other = mail.inFlight[earlier]!;
    if (mail.to[other] === mail.to[message] && mail.from[other] === mail.from[message]) return true;
  }
  return false;
}
