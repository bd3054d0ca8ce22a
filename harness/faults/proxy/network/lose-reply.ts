import { commandSelector } from "../command-selector.ts";
import { networkFault } from "../network-fault.ts";
import { commandParameters } from "./parameters.ts";

/** A reply does not arrive, nor anything behind it: a stream has no gaps. The connection is reset at the end of the fault. */
export const loseReply = networkFault({
  name: "lose-reply",
  summary: "The reply to a command and all behind it are lost; its connection is reset when the fault is over",
  parameters: commandParameters,
  look: { colour: "network", pattern: "cross" },
  prepare(parameters) {
    const selects = commandSelector(parameters);
    return ({ random }) => ({
      command: (command) => (selects(command, random) ? { kind: "lose-reply" } : undefined),
    });
  },
});
