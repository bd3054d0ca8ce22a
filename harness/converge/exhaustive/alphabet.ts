import type { CrdtAdapter } from "../../contracts/crdt-adapter.ts";
import { CLOCK_STEPS_MS, KIND } from "../plan/event.ts";
import type { Pool } from "../plan/pool.ts";
import type { Snapshot } from "./snapshot.ts";

/** One event that could come next, as it would stand in a schedule, and what it touches. */
export interface Candidate {
  readonly event: readonly [number, number, number, number];
  /** The region where it happens. */
  readonly region: number;
  /** Another region that it names, -1 if none. */
  readonly mentions: number;
  /** The message that it works on, -1 if none. */
  readonly message: number;
  /** It touches what other regions see, so that it commutes with nothing. */
  readonly isGlobal: boolean;
}

export type AlphabetSize = "standard" | "full";

/** The events that need no message: the same at every node. */
export function ownEvents(
  adapter: CrdtAdapter,
  pool: Pool,
  regions: number,
  size: AlphabetSize,
  can: ReadonlySet<string>,
): Candidate[] {
  const candidates: Candidate[] = [];
  const full = size === "full";
  const put = (region: number, event: Candidate["event"], mentions = -1, isGlobal = false) =>
    candidates.push({ event, region, mentions, message: -1, isGlobal });
  const steps = [1_000, -1_000, ...(full ? [120_000, -120_000] : [])].map((step) => CLOCK_STEPS_MS.indexOf(step));
  const encodings = full ? adapter.encodings.length : 1;
  for (let region = 0; region < regions; region++) {
    for (const [template, { choice, to }] of operations(pool, region, regions, full)) {
      put(region, [KIND.operation, region, template, choice], to);
    }
    for (const step of steps) put(region, [KIND.clock, region, step, 0]);
    for (let encoding = 0; encoding < encodings; encoding++) {
      const toAll = adapter.encodings[encoding]!.kind === "operations";
      for (let peer = 0; peer < (toAll ? 1 : regions - 1); peer++) {
        put(region, [KIND.send, region, peer, encoding], toAll ? -1 : (region + 1 + peer) % regions);
      }
    }
    put(region, [KIND.restart, region, 0, 0]);
    if (can.has("collect")) put(region, [KIND.collect, region, 0, 0]);
    if (full && can.has("amnesia")) put(region, [KIND.amnesia, region, 0, 0], -1, true);
  }
  return candidates;
}

/** Every kind of operation of the pool once, with the simplest argument; transfers to every peer. */
function* operations(pool: Pool, region: number, regions: number, full: boolean) {
  const seen = new Set<string>();
  for (const [template, { kind, cell, own }] of pool.templates.entries()) {
    const key = `${kind}/${cell?.index}/${own?.name}`;
    if (seen.has(key) || (kind === "delete" && !full)) continue;
    seen.add(key);
    if (kind === "transfer") {
      for (let peer = 0; peer < regions - 1; peer++) {
        yield [template, { choice: peer * 4, to: (region + 1 + peer) % regions }] as const;
      }
    } else if (kind === "own") {
      for (let argument = 0; argument < (own!.arguments?.length ?? 1); argument++) {
        yield [template, { choice: argument, to: -1 }] as const;
      }
    } else yield [template, { choice: 0, to: -1 }] as const;
  }
}

/** The events that deliver, repeat, forward or lose one of the messages that there are. */
export function messageEvents(
  snapshot: Snapshot,
  regions: number,
  size: AlphabetSize,
  can: ReadonlySet<string>,
): Candidate[] {
  const candidates: Candidate[] = [];
  const put = (event: Candidate["event"], message: number, region: number, mentions = -1) =>
    candidates.push({ event, region, mentions, message, isGlobal: false });
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
  return candidates;
}
