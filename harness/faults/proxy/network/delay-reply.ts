import { commandSelector } from "../command-selector.ts";
import { delays, distributionNames } from "../delay/distribution.ts";
import { networkFault } from "../network-fault.ts";
import { commandParameters, spreadParameters } from "./parameters.ts";

/** Some replies arrive late, and with them all behind them on the connection. */
export const delayReply = networkFault({
  name: "delay-reply",
  summary: "The replies to some commands arrive late; those behind them wait",
  parameters: {
    ...commandParameters,
    base: { type: "duration", summary: "The delay, or its smallest value where p99 is given", required: true, min: 0 },
    ...spreadParameters,
    distribution: { type: "enum", summary: "Of the random part", values: distributionNames },
  },
  look: { colour: "network", pattern: "dots" },
  prepare(parameters) {
    const selects = commandSelector(parameters);
    return ({ random }) => {
      const nextMs = delays(parameters, random);
      return {
        command: (command) => (selects(command, random) ? { kind: "delay-reply", ms: nextMs() } : undefined),
      };
    };
  },
});
