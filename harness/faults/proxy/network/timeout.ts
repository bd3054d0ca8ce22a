import { type Direction, networkFault, numberOf, textOf } from "../network-fault.ts";
import { toxicity } from "./parameters.ts";

/** The toxic of that name of Toxiproxy: nothing passes, and the connection is closed after a time, or when the fault is over. */
export const timeout = networkFault({
  name: "timeout",
  summary: "Nothing passes; connections are closed after a time, or when it is over",
  parameters: {
    after: {
      type: "duration",
      summary: "When connections are closed; 0: not before it is over",
      default: "0ms",
      min: 0,
    },
    direction: {
      type: "enum",
      summary: "Which bytes do not pass",
      values: ["requests", "replies"],
      default: "replies",
    },
    toxicity,
  },
  prepare(parameters) {
    const afterMs = numberOf(parameters, "after", 0);
    const direction = textOf<Direction>(parameters, "direction", "replies");
    return (link) => {
      const timer = afterMs > 0 ? setTimeout(() => link.close(), afterMs) : undefined;
      return {
        gate: { [direction]: "lose" },
        end() {
          clearTimeout(timer);
          link.close();
        },
      };
    };
  },
});
