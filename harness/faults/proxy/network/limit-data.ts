import { afterBytes } from "../after-bytes.ts";
import { type Direction, networkFault, numberOf, textOf } from "../network-fault.ts";
import { toxicity } from "./parameters.ts";

/** The connection is closed once so many bytes have passed, be it in the middle of a reply. */
export const limitData = networkFault({
  name: "limit-data",
  summary: "Connections are closed after so many bytes",
  parameters: {
    bytes: { type: "size", summary: "Bytes that still pass", required: true, min: 0 },
    direction: {
      type: "enum",
      summary: "Which bytes are counted",
      values: ["requests", "replies"],
      default: "replies",
    },
    toxicity,
  },
  prepare(parameters) {
    const limit = numberOf(parameters, "bytes", 0);
    const direction = textOf<Direction>(parameters, "direction", "replies");
    return (link) => afterBytes(link, direction, limit, () => link.close());
  },
});
