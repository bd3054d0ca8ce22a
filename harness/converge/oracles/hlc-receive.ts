import type { ClockOracle } from "./oracle.ts";
import { compareStamps, showStamp } from "./stamps.ts";

export const hlcReceive: ClockOracle = {
  name: "HLC-RECEIVE",
  title: "its clock did not move on with a stamp that it received",
  tier: "step",
  kind: "clock",
  summary:
    "After a receive the clock is not above both the remote stamp and its own last one, or is below the wall clock",
  judge({ act, remote, before, after, wallMs, refusal }) {
    if (act !== "receive" || remote === undefined || refusal !== undefined) return undefined;
    const isAbove = compareStamps(after, remote) > 0 && compareStamps(after, before) > 0;
    if (isAbove && after.l >= wallMs) return undefined;
    return {
      expected: `a stamp above the remote ${showStamp(remote)} and the own ${showStamp(before)}, not below the wall clock ${wallMs}`,
      actual: showStamp(after),
    };
  },
};
