import { commandSelector } from "../command-selector.ts";
import { networkFault, numberOf } from "../network-fault.ts";
import { commandParameters } from "./parameters.ts";

/** The command is applied at once, and its sender learns of it only after a time: what happens in between it cannot know. */
export const pauseBetween = networkFault({
  name: "pause-between",
  summary: "The reply is held back after the command has been applied",
  parameters: {
    ...commandParameters,
    pause: { type: "duration", summary: "How long; without it, until the fault is over", min: 0 },
  },
  look: { colour: "network", pattern: "dots" },
  prepare(parameters) {
    const selects = commandSelector(parameters);
    const ms = numberOf(parameters, "pause", Number.POSITIVE_INFINITY);
    return ({ random }) => ({
      command: (command) => (selects(command, random) ? { kind: "delay-reply", ms } : undefined),
    });
  },
});
