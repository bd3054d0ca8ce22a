import { commandSelector } from "../command-selector.ts";
import { networkFault, textOf } from "../network-fault.ts";
import { commandParameters } from "./parameters.ts";

/** No fault by itself: reports commands as they go to the node, so that other faults can start at them, and may hold their replies. */
export const watch = networkFault({
  name: "watch",
  summary: "Commands are reported as they pass; their replies may be held",
  parameters: {
    ...commandParameters,
    hold: { type: "enum", summary: "Hold the replies until released", values: ["yes", "no"], default: "no" },
  },
  prepare(parameters) {
    const selects = commandSelector(parameters);
    const holds = textOf(parameters, "hold", "no") === "yes";
    return (link) => ({
      command(command) {
        if (!selects(command, link.random)) return undefined;
        link.report(command);
        return holds ? { kind: "delay-reply", ms: Number.POSITIVE_INFINITY } : undefined;
      },
    });
  },
});
