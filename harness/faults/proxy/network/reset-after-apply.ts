import { commandSelector } from "../command-selector.ts";
import { networkFault } from "../network-fault.ts";
import { commandParameters } from "./parameters.ts";

/** The node has applied the command; in place of the reply the connection is reset. Shows what a client sends again by itself. */
export const resetAfterApply = networkFault({
  name: "reset-after-apply",
  summary: "The command is applied, and its connection reset before the reply arrives",
  parameters: commandParameters,
  look: { colour: "network", pattern: "cross" },
  prepare(parameters) {
    const selects = commandSelector(parameters);
    return ({ random }) => ({
      command: (command) => (selects(command, random) ? { kind: "reset-at-reply" } : undefined),
    });
  },
});
