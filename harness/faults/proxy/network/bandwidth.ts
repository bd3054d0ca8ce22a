import { networkFault, numberOf, type Shaper, textOf } from "../network-fault.ts";
import { direction, toxicity } from "./parameters.ts";

/** Lets through so many bytes a second, evenly: large pieces go in slices of a few milliseconds. */
export const bandwidth = networkFault({
  name: "bandwidth",
  summary: "Bytes pass at a limited rate",
  parameters: {
    rate: { type: "rate", summary: "Bytes per second", required: true, min: 1 },
    direction: direction("replies"),
    toxicity,
  },
  prepare(parameters) {
    const bytesPerMs = numberOf(parameters, "rate", 1) / 1000;
    const way = textOf<"requests" | "replies" | "both">(parameters, "direction", "replies");
    return () => ({
      shape: {
        ...(way === "replies" ? {} : { requests: limited(bytesPerMs) }),
        ...(way === "requests" ? {} : { replies: limited(bytesPerMs) }),
      },
    });
  },
});

function limited(bytesPerMs: number): Shaper {
  const sliceBytes = Math.max(1, Math.floor(bytesPerMs * sliceMs));
  let freeAtMs = 0;
  return (bytes, dueMs, pass) => {
    for (let at = 0; at < bytes.length; at += sliceBytes) {
      const slice = bytes.subarray(at, at + sliceBytes);
      // A slice arrives when its last byte has been sent.
      freeAtMs = Math.max(freeAtMs, dueMs) + slice.length / bytesPerMs;
      pass(slice, freeAtMs);
    }
  };
}

const sliceMs = 5;
