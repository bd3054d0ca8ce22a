import type { ClockOracle } from "./oracle.ts";
import { showStamp } from "./stamps.ts";

/** The code of a refusal by the drift guard. */
export const CLOCK_DRIFT = "CLOCK_DRIFT";

export const hlcDrift: ClockOracle = {
  name: "HLC-DRIFT",
  title: "its guard against clock drift failed",
  tier: "step",
  kind: "clock",
  summary:
    "A receive accepted a stamp further ahead of the wall clock than the guard allows, or refused one that was not",
  judge({ act, remote, wallMs, maxDriftMs, refusal }) {
    if (act !== "receive" || remote === undefined) return undefined;
    const ahead = remote.l - wallMs;
    if (ahead > maxDriftMs && refusal === undefined) {
      return {
        expected: `${showStamp(remote)} refused with ${CLOCK_DRIFT}: ${ahead} ms ahead of the wall clock, ${maxDriftMs} are allowed`,
        actual: "accepted",
      };
    }
    if (ahead <= maxDriftMs && refusal === CLOCK_DRIFT) {
      return {
        expected: `${showStamp(remote)} accepted: ${ahead} ms ahead of the wall clock, ${maxDriftMs} are allowed`,
        actual: `refused with ${CLOCK_DRIFT}`,
      };
    }
    return undefined;
  },
};
