import { networkFault, numberOf, type Shaper, textOf } from "../network-fault.ts";
import { direction, toxicity } from "./parameters.ts";

/** Splits the stream into small writes, so that readers see replies in pieces. */
export const slicer = networkFault({
  name: "slicer",
  summary: "The stream arrives in small pieces, with a pause after each",
  parameters: {
    size: { type: "size", summary: "Average size of a piece", default: "64B", min: 1 },
    variation: {
      type: "size",
      summary: "A piece is larger or smaller than the average by up to this",
      default: "0B",
      min: 0,
    },
    delay: { type: "duration", summary: "Pause after each piece", default: "0.01ms", min: 0 },
    direction: direction("replies"),
    toxicity,
  },
  prepare(parameters) {
    const size = numberOf(parameters, "size", 64);
    const variation = Math.min(numberOf(parameters, "variation", 0), size - 1);
    const delayMs = numberOf(parameters, "delay", 0.01);
    const way = textOf<"requests" | "replies" | "both">(parameters, "direction", "replies");
    return ({ random }) => {
      const nextSize = () => Math.round(size + variation * (2 * random() - 1));
      return {
        shape: {
          ...(way === "replies" ? {} : { requests: sliced(nextSize, delayMs) }),
          ...(way === "requests" ? {} : { replies: sliced(nextSize, delayMs) }),
        },
      };
    };
  },
});

function sliced(nextSize: () => number, delayMs: number): Shaper {
  let freeAtMs = 0;
  return (bytes, dueMs, pass) => {
    for (let at = 0; at < bytes.length; ) {
      const end = at + Math.max(1, nextSize());
      freeAtMs = Math.max(freeAtMs, dueMs);
      pass(bytes.subarray(at, end), freeAtMs);
      freeAtMs += delayMs;
      at = end;
    }
  };
}
