import { fingerprint } from "../../equality/fingerprint.ts";
import { atOnce } from "../synchronous.ts";
import type { World } from "../world.ts";

/** The a-th past message that its receiver has taken is passed on to its b-th region besides the sender. */
export function forwardEvent(world: World, a: number, b: number): boolean {
  const { mail, regions } = world;
  const { pastCount } = mail;
  for (let step = 0; step < pastCount; step++) {
    const place = (a + step) % pastCount;
    const message = mail.past[place]!;
    if (mail.taken[message] === 0) continue;
    const via = mail.to[message]!;
    let to = (via + 1 + (b % (regions.length - 1))) % regions.length;
    if (to === mail.from[message]) to = (to + 1) % regions.length;
    if (to === via) to = (to + 1) % regions.length;
    if (to === mail.from[message]) return false;
    world.lastRegion = via;
    world.lastChoice = place;
    world.lastMessage = mail.count;
    const { replica } = regions[via]!;
    const payload = mail.payload[message];
    const passed = replica.forward === undefined ? payload : atOnce(replica.forward(payload), "forward", world.adapter);
    const copy = mail.copy(message, via, to, passed);
    if (world.checksPrints) mail.print[copy] = fingerprint(mail.payload[copy]);
    return true;
  }
  return false;
}
