import type { ArmRound } from "../../harness/contracts/check.ts";
import type { ReachCondition } from "../../harness/contracts/scenario.ts";
import { callsOf, eventsOf, type Hold, holdsOf, lengthMs, overlap, type Window, windowsOf } from "./history.ts";

/** Conditions that several scenarios share. */

/** A fault of this name began within a hold of the worker that it was aimed at, if it was aimed at one. */
export function faultWithinHold(fault: string): ReachCondition {
  return {
    name: `${fault} came within a hold`,
    reached: (round) => withinHold(round, fault).length > 0,
  };
}

/** Pairs of a fault's window and the hold that it began in. */
export function withinHold(round: ArmRound, fault: string): { window: Window; hold: Hold }[] {
  const holds = holdsOf(round);
  return windowsOf(round, fault).flatMap((window) =>
    holds
      .filter(({ worker }) => window.worker === undefined || window.worker === worker)
      .filter(({ startNs, endNs }) => startNs <= window.startNs && window.startNs < endNs)
      .map((hold) => ({ window, hold })),
  );
}

/** A fault of this name was in force while somebody waited for the answer to an acquire. */
export function faultDuringAcquire(fault: string): ReachCondition {
  return {
    name: `${fault} was in force while an acquire waited for its answer`,
    reached(round) {
      const calls = callsOf(round, "acquire");
      return windowsOf(round, fault).some((window) => calls.some((call) => overlap(call, window)));
    },
  };
}

/** A hold, as its worker saw it, lasted longer than the TTL. */
export const outlivedTtl: ReachCondition = {
  name: "a hold outlived its TTL",
  reached: (round, { ttlMs }) => holdsOf(round).some((hold) => lengthMs(hold) > ttlMs),
};

/** Somebody else asked for a key while it was held. */
export const othersAsked: ReachCondition = {
  name: "another asked for a key that was held",
  reached(round) {
    const calls = callsOf(round, "acquire");
    return holdsOf(round).some((hold) =>
      calls.some((call) => call.key === hold.key && call.execution !== hold.execution && overlap(call, hold)),
    );
  },
};

/** Somebody else asked for a key after its holder's TTL was over, and before that holder ended its hold. */
export const othersAskedTooLate: ReachCondition = {
  name: "another asked for a key whose holder had outlived its TTL",
  reached(round, { ttlMs }) {
    const calls = callsOf(round, "acquire");
    return holdsOf(round).some((hold) =>
      calls.some(
        (call) =>
          call.key === hold.key &&
          call.execution !== hold.execution &&
          call.startNs > hold.askedNs + ttlMs * 1e6 &&
          call.startNs < hold.endNs,
      ),
    );
  },
};

export const somebodyHeld: ReachCondition = {
  name: "a lock was held",
  reached: (round) => holdsOf(round).length > 0,
};

export const faultHappened = (fault: string): ReachCondition => ({
  name: `${fault} happened`,
  reached: (round) => windowsOf(round, fault).length > 0,
});

/** At least so many jobs were delivered. */
export const delivered = (least: number): ReachCondition => ({
  name: `${least} deliveries`,
  reached: (round) => eventsOf(round, "deliver").length >= least,
});
