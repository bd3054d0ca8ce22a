import { commandSelector } from "../command-selector.ts";
import { networkFault } from "../network-fault.ts";
import { commandParameters } from "./parameters.ts";

/** A command does not reach the node, nor anything behind it. The connection is reset at the end of the fault. */
export const loseRequest = networkFault({
  name: "lose-request",
  summary: "A command and all behind it are lost; its connection is reset when the fault is over",
  parameters: commandParameters,
  look: { colour: "network", pattern: "cross" },
  prepare(parameters) {
    const selects = commandSelector(parameters);
    return ({ random }) => ({
      command: (command) => (selects(command, random) ? { kind: "lose-request" } : undefined),
    });
  },
});
