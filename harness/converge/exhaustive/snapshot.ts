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
}

export function snapshotOf({ mail }: World): Snapshot {
  const { count } = mail;
  return {
    inFlight: Array.from(mail.inFlight.subarray(0, mail.inFlightCount)),
    past: Array.from(mail.past.subarray(0, mail.pastCount)),
    from: Array.from(mail.from.subarray(0, count)),
    to: Array.from(mail.to.subarray(0, count)),
    taken: Array.from(mail.taken.subarray(0, count)),
    count,
  };
}
