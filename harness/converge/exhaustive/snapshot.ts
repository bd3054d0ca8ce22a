import type { World } from "../run/world.ts";

/** The messages as they stand after the events of a schedule, before its end: what could happen next depends on them. */
export interface Snapshot {
  readonly inFlight: readonly number[];
  readonly past: readonly number[];
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly taken: readonly number[];
  /** How many there are. */
  readonly count: number;
  /** Links that are cut, each by its ends, in the order in which `heal` counts them. */
  readonly cuts: readonly (readonly [number, number])[];
}

export function snapshotOf(world: World): Snapshot {
  const { mail } = world;
  const { count } = mail;
  return {
    inFlight: Array.from(mail.inFlight.subarray(0, mail.inFlightCount)),
    past: Array.from(mail.past.subarray(0, mail.pastCount)),
    from: Array.from(mail.from.subarray(0, count)),
    to: Array.from(mail.to.subarray(0, count)),
    taken: Array.from(mail.taken.subarray(0, count)),
    count,
    cuts: world.cuts === 0 ? [] : cutsOf(world),
  };
}

function cutsOf(world: World): (readonly [number, number])[] {
  const { length } = world.regions;
  const cuts: (readonly [number, number])[] = [];
  for (let one = 0; one < length; one++) {
    for (let other = one + 1; other < length; other++) if (!world.reaches(one, other)) cuts.push([one, other]);
  }
  return cuts;
}
