import { commandSelector } from "../command-selector.ts";
import { networkFault, numberOf } from "../network-fault.ts";
import { commandParameters } from "./parameters.ts";

/** A command is held up on its way, and with it all behind it on the connection: a DEL that arrives after the lease. */
export const delayRequest = networkFault({
  name: "delay-request",
  summary: "A command reaches the node late; those behind it wait",
  parameters: {
    ...commandParameters,
    delay: { type: "duration", summary: "By how much; without it, until the fault is over", min: 0 },
  },
  look: { colour: "network", pattern: "dots" },
  prepare(parameters) {
    const selects = commandSelector(parameters);
    const ms = numberOf(parameters, "delay", Number.POSITIVE_INFINITY);
    return ({ random }) => ({
      command: (command) => (selects(command, random) ? { kind: "delay-request", ms } : undefined),
    });
  },
});
