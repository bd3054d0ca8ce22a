import { broadcast, post } from "../post.ts";
import type { World } from "../world.ts";

/** The three highest bits of an argument b that mean: through the codec. */
export const THROUGH_CODEC = 7;

/**
 * Region a sends what encoding c makes of its knowledge: to its b-th peer, or, of kind `operations`, what it has not yet
 * broadcast to all. In deep schedules one message in eight goes through the codec; in an exhaustive search, those that say so.
 */
export function sendEvent(world: World, a: number, b: number, c: number): boolean {
  const { regions, adapter, mail } = world;
  const region = regions[a % regions.length]!;
  const encoding = c % adapter.encodings.length;
  const throughCodec = (world.deep || world.options.arguments === "unit") && b >>> 5 === THROUGH_CODEC;
  world.lastRegion = region.index;
  world.lastMessage = mail.count;
  world.lastMessages = 1;
  world.lastDetail = throughCodec && adapter.codec !== undefined ? ", through the codec" : "";
  if (adapter.encodings[encoding]!.kind === "operations") {
    const waiting = region.ownCount - region.broadcast;
    if (waiting === 0) return false;
    const end = region.broadcast + 1 + (b % waiting);
    const sent = broadcast(world, region, encoding, region.broadcast, end, throughCodec);
    world.lastMessages = sent;
    if (sent > 0) region.broadcast = end;
    return sent > 0;
  }
  const to = (region.index + 1 + (b % (regions.length - 1))) % regions.length;
  return post(world, region, to, encoding, throughCodec) >= 0;
}
