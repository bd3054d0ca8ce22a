import { commandSelector } from "../command-selector.ts";
import { networkFault } from "../network-fault.ts";
import { commandParameters } from "./parameters.ts";

/**
 * The node gets the command twice; the client sees the first reply. Commands that change the connection itself (SUBSCRIBE,
 * MULTI, CLIENT, HELLO, ...) and commands inside a transaction go once.
 */
export const duplicate = networkFault({
  name: "duplicate",
  summary: "A command reaches the node twice; its second reply is eaten",
  parameters: commandParameters,
  look: { colour: "network", pattern: "dots" },
  prepare(parameters) {
    const selects = commandSelector(parameters);
    return ({ random }) => ({
      command: (command) => (selects(command, random) ? { kind: "twice" } : undefined),
    });
  },
});
