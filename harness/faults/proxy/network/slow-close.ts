import { networkFault, numberOf, textOf } from "../network-fault.ts";
import { direction, toxicity } from "./parameters.ts";

/** The end of a connection arrives late. */
export const slowClose = networkFault({
  name: "slow-close",
  summary: "That one side has closed reaches the other late",
  parameters: {
    delay: { type: "duration", summary: "By how much", required: true, min: 0 },
    direction: direction("both"),
    toxicity,
  },
  prepare(parameters) {
    const delayMs = numberOf(parameters, "delay", 0);
    const way = textOf<"requests" | "replies" | "both">(parameters, "direction", "both");
    return () => ({
      closeDelayMs: {
        ...(way === "replies" ? {} : { requests: delayMs }),
        ...(way === "requests" ? {} : { replies: delayMs }),
      },
    });
  },
});
