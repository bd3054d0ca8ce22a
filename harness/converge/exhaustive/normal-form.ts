import type { Candidate } from "./alphabet.ts";

/** An event of the schedule so far. */
export interface Past {
  readonly candidate: Candidate;
  /** How many messages there were before it. */
  readonly messagesBefore: number;
}

/**
 * Whether the schedule with `next` at its end is in lexicographic normal form, given that it was without: of all orders
 * of the same events that differ only in the order of independent ones, the one that always takes the earliest region.
 * Events of different regions are independent, unless one made the message that the other works on.
 * Source: Anisimov and Knuth, "Inhomogeneous sorting", 1979.
 */
export function isNormal(past: readonly Past[], next: Candidate): boolean {
  if (next.isGlobal) return true;
  let messagesAfter = Number.POSITIVE_INFINITY;
  for (let at = past.length - 1; at >= 0; at--) {
    const { candidate, messagesBefore } = past[at]!;
    const madeTheMessage = next.message >= messagesBefore && next.message < messagesAfter;
    messagesAfter = messagesBefore;
    if (candidate.isGlobal || candidate.region === next.region || madeTheMessage) return true;
    if (candidate.region > next.region) return false;
  }
  return true;
}

/**
 * How many regions have a name after `next`, when `named` had one before; regions get their names in the order in which
 * they first act or are named. -1: the schedule is another one's with the regions renamed.
 */
export function nameRegions(named: number, { region, mentions }: Candidate): number {
  if (region > named) return -1;
  const after = Math.max(named, region + 1);
  if (mentions < 0) return after;
  return mentions > after ? -1 : Math.max(after, mentions + 1);
}
