import { afterBytes } from "../after-bytes.ts";
import { type Link, networkFault, numberOf } from "../network-fault.ts";
import { toxicity } from "./parameters.ts";

/** TCP RST to both sides of a connection. */
export const reset = networkFault({
  name: "reset",
  summary: "Connections are reset (TCP RST), at once, after a time, or after so many bytes of replies",
  parameters: {
    after: {
      type: "duration",
      summary: "Time from the start of the fault, or of the connection",
      default: "0ms",
      min: 0,
    },
    bytes: { type: "size", summary: "Bytes of replies that still pass; takes the place of after", min: 0 },
    toxicity,
  },
  look: { colour: "network", pattern: "cross" },
  prepare(parameters) {
    const afterMs = numberOf(parameters, "after", 0);
    const bytes = numberOf(parameters, "bytes", Number.NaN);
    return (link) =>
      Number.isNaN(bytes) ? timed(link, afterMs) : afterBytes(link, "replies", bytes, () => link.reset());
  },
});

function timed(link: Link, afterMs: number) {
  if (afterMs === 0) {
    link.reset();
    return {};
  }
  const timer = setTimeout(() => link.reset(), afterMs);
  return { end: () => clearTimeout(timer) };
}
