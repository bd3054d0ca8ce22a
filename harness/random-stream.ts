import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** A stream of pseudo-random numbers that depends on its seed and its purpose alone. */
export interface RandomStream {
  /** From 0 (included) to 1 (excluded). */
  float(): number;
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  /** One of these, all with the same chance. Throws for an empty list. */
  pick<Item>(items: readonly Item[]): Item;
}

/**
 * The stream for one purpose. Each purpose (and round) has a stream of its own, so that drawing more from one does not
 * shift another: changing the faults leaves the arrivals as they are.
 */
export function randomStream(seed: number, ...purpose: readonly (string | number)[]): RandomStream {
  const generator = xoroshiro128plus(mix(seed, purpose.join("/")));
  return {
    float: () => uniformFloat64(generator),
    whole: (least, most) => uniformInt(generator, least, most),
    pick(items) {
      if (items.length === 0) throw new RangeError("Nothing to pick from");
      return items[uniformInt(generator, 0, items.length - 1)] as (typeof items)[number];
    },
  };
}

/** FNV-1a over the text, then the finalizer of MurmurHash3, so that seeds that lie side by side give unlike streams. */
function mix(seed: number, text: string): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
