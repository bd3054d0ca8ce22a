import type { CrdtAdapter } from "../../contracts/crdt-adapter.ts";
import { CLOCK_STEPS_MS, type EventKind, KIND } from "../plan/event.ts";
import { POOLS, type Pool } from "../plan/pool.ts";
import { THROUGH_CODEC } from "../run/events/send.ts";
import type { Snapshot } from "./snapshot.ts";

/** One event that could come next, as it would stand in a schedule, and what it touches. */
export interface Candidate {
  readonly event: readonly [number, number, number, number];
  /** What is done, whichever regions and messages it is done to: a number that no other deed has. */
  readonly what: number;
  /** The region where it happens. */
  readonly region: number;
  /** Another region that it names, -1 if none. */
  readonly mentions: number;
  /** The message that it works on, -1 if none. */
  readonly message: number;
  /** It touches what other regions see, so that it commutes with nothing. */
  readonly isGlobal: boolean;
}

/**
 * - `standard`: one key of each field, one element, increments by 1, steps of a clock below and beyond the drift guard both
 *   ways, the first encoding as it is and through the codec, restarts, collections; deliveries, repetitions, forwarding.
 * - `full`: a second key and a second element, decrements, deletions, every encoding, losses of messages and of everything,
 *   links that break and heal besides.
 */
export type AlphabetSize = "standard" | "full";

const CLOCK_STEPS: readonly number[] = [1_000, -1_000, 120_000, -120_000].map((step) => CLOCK_STEPS_MS.indexOf(step));

/** The pool that an alphabet draws its keys and elements from: the simplest; the first of those with the most of both. */
export function poolOf(poolNumber: (number: number) => Pool, size: AlphabetSize): number {
  if (size === "standard") return 0;
  let best = 0;
  // Those of the ordinary keys and elements, see pool.ts.
  for (let number = 1; number < POOLS; number += 4) {
    if (poolNumber(number).cells.length > poolNumber(best).cells.length) best = number;
  }
  return best;
}

export interface Alphabet {
  size: AlphabetSize;
  regions: number;
  can: ReadonlySet<EventKind>;
  /** Operations touch what other regions see, beside the messages. */
  coordinates: boolean;
}

/** The events that need no message and no broken link: the same at every node. */
export function ownEvents(
  adapter: CrdtAdapter,
  pool: Pool,
  { size, regions, can, coordinates }: Alphabet,
): Candidate[] {
  const candidates: Candidate[] = [];
  const full = size === "full";
  const put = (region: number, event: Candidate["event"], deed = 0, mentions = -1, isGlobal = false) =>
    candidates.push({ event, what: event[0] * 0x10000 + deed, region, mentions, message: -1, isGlobal });
  const encodings = full ? adapter.encodings : adapter.encodings.slice(0, 1);
  for (let region = 0; region < regions; region++) {
    for (const [template, { choice, to, deed }] of operations(pool, region, regions, full)) {
      put(region, [KIND.operation, region, template, choice], template * 0x100 + deed, to, coordinates);
    }
    for (const step of CLOCK_STEPS) put(region, [KIND.clock, region, step, 0], step);
    for (const [encoding, { kind }] of encodings.entries()) {
      const peers = kind === "operations" ? 1 : regions - 1;
      for (let peer = 0; peer < peers; peer++) {
        const to = kind === "operations" ? -1 : (region + 1 + peer) % regions;
        put(region, [KIND.send, region, peer, encoding], encoding, to);
        if (adapter.codec === undefined) continue;
        put(region, [KIND.send, region, throughCodec(peer, peers), encoding], encoding + 0x100, to);
      }
    }
    put(region, [KIND.restart, region, 0, 0]);
    if (can.has("collect")) put(region, [KIND.collect, region, 0, 0]);
    if (full && can.has("amnesia")) put(region, [KIND.amnesia, region, 0, 0], 0, -1, true);
    if (!full || !can.has("cut")) continue;
    for (let other = region + 1; other < regions; other++) {
      put(region, [KIND.cut, region, other - region - 1, 0], 0, other, true);
    }
  }
  return candidates;
}

/** The argument of a send that means this peer, and the codec on the way. */
function throughCodec(peer: number, peers: number): number {
  const first = THROUGH_CODEC << 5;
  return first + ((peer - (first % peers) + peers) % peers);
}

/** Every kind of operation of the pool once, with the simplest argument; increments also by -1; transfers to every peer. */
function* operations(pool: Pool, region: number, regions: number, full: boolean) {
  const seen = new Set<string>();
  for (const [template, { kind, cell, own }] of pool.templates.entries()) {
    const key = `${kind}/${cell?.index}/${own?.name}`;
    if (seen.has(key) || (kind === "delete" && !full)) continue;
    seen.add(key);
    if (kind === "transfer") {
      for (let peer = 0; peer < regions - 1; peer++) {
        yield [template, { choice: peer * 4, to: (region + 1 + peer) % regions, deed: 0 }] as const;
      }
    } else if (kind === "own") {
      for (let argument = 0; argument < (own!.arguments?.length ?? 1); argument++) {
        yield [template, { choice: argument, to: -1, deed: argument }] as const;
      }
    } else {
      yield [template, { choice: 0, to: -1, deed: 0 }] as const;
      const field = cell?.group.field;
      const canSink = kind === "increment" && field?.type === "counter" && field.decrements !== false;
      if (full && canSink) yield [template, { choice: 1, to: -1, deed: 1 }] as const;
    }
  }
}

/** The events that deliver, repeat, forward or lose one of the messages that there are, and those that heal a link. */
export function laterEvents(snapshot: Snapshot, { size, regions, can }: Alphabet): Candidate[] {
  const candidates: Candidate[] = [];
  const put = (event: Candidate["event"], message: number, region: number, mentions = -1, isGlobal = false) =>
    candidates.push({ event, what: event[0] * 0x10000, region, mentions, message, isGlobal });
  snapshot.inFlight.forEach((message, place) => {
    put([KIND.deliver, place, 0, 0], message, snapshot.to[message]!);
    if (size === "full" && can.has("lose")) put([KIND.lose, place, 0, 0], message, snapshot.to[message]!);
  });
  snapshot.past.forEach((message, place) => {
    const via = snapshot.to[message]!;
    if (can.has("again")) put([KIND.again, place, 0, 0], message, via);
    if (!can.has("forward") || snapshot.taken[message] === 0) return;
    for (let peer = 0; peer < regions - 1; peer++) {
      const to = (via + 1 + peer) % regions;
      if (to !== snapshot.from[message]) put([KIND.forward, place, peer, 0], message, via, to);
    }
  });
  snapshot.cuts.forEach(([one, other], nth) => {
    put([KIND.heal, nth, 0, 0], -1, one, other, true);
  });
  return candidates;
}
