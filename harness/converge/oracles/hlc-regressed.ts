import type { ClockOracle } from "./oracle.ts";
import { compareStamps, showStamp } from "./stamps.ts";

export const hlcRegressed: ClockOracle = {
  name: "HLC-REGRESSED",
  title: "its clock went back or stood still",
  tier: "step",
  kind: "clock",
  summary: "A hybrid logical clock went back, or stood still where a write needed a stamp of its own",
  judge({ act, before, after, mustAdvance, refusal }) {
    if (refusal !== undefined) return undefined;
    const order = compareStamps(after, before);
    const strictly = act === "operation" && mustAdvance;
    if (order > 0 || (order === 0 && !strictly)) return undefined;
    return {
      expected: `${strictly ? "a stamp above" : "no stamp below"} ${showStamp(before)}, the last one of this clock`,
      actual: `${showStamp(after)}${act === "load" ? " after the restart" : ""}`,
    };
  },
};
