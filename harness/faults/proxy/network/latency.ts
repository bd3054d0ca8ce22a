import { delays, distributionNames } from "../delay/distribution.ts";
import { networkFault, type Shaper, textOf } from "../network-fault.ts";
import { direction, spreadParameters, toxicity } from "./parameters.ts";

/** Delays bytes and keeps their order. Exact to a tenth of a millisecond. */
export const latency = networkFault({
  name: "latency",
  aliases: ["jitter"],
  summary: "Bytes arrive late: by a base, and a random part of a given spread or 99th percentile",
  parameters: {
    base: { type: "duration", summary: "The delay, or its smallest value where p99 is given", default: "0ms", min: 0 },
    ...spreadParameters,
    distribution: {
      type: "enum",
      summary: "Of the random part; with p99 the default is lognormal, else uniform",
      values: distributionNames,
    },
    correlation: { type: "number", summary: "With the delay before", default: "0", min: 0, max: 0.999 },
    direction: direction("replies"),
    toxicity,
  },
  prepare(parameters) {
    const way = textOf<"requests" | "replies" | "both">(parameters, "direction", "replies");
    return ({ random }) => ({
      shape: {
        ...(way === "replies" ? {} : { requests: late(delays(parameters, random)) }),
        ...(way === "requests" ? {} : { replies: late(delays(parameters, random)) }),
      },
    });
  },
});

function late(delayMs: () => number): Shaper {
  let lastMs = 0;
  return (bytes, dueMs, pass) => {
    lastMs = Math.max(lastMs, dueMs + delayMs());
    pass(bytes, lastMs);
  };
}
