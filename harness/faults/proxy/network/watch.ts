import { commandMatcher } from "../command-selector.ts";
import { extensionRecognizer } from "../lock-extension.ts";
import { type CommandAction, networkFault, numberOf, textOf } from "../network-fault.ts";
import { commandParameters } from "./parameters.ts";

/** No fault by itself: reports commands, so that other faults can start at them, and may hold their replies. */
export const watch = networkFault({
  name: "watch",
  summary: "Commands are reported as they pass; their replies may be held",
  parameters: {
    ...commandParameters,
    extension: {
      type: "enum",
      summary: "Only commands that renew a lock of their client",
      values: ["yes", "no"],
      default: "no",
    },
    moment: {
      type: "enum",
      summary: "Report when the command was written to the node, or when the node has answered it",
      values: ["sent", "applied"],
      default: "sent",
    },
    hold: {
      type: "enum",
      summary:
        "Hold the replies of those that are reported until released; onwards: of the same client's later ones as well",
      values: ["no", "yes", "onwards"],
      default: "no",
    },
  },
  prepare(parameters) {
    const matches = commandMatcher(parameters);
    const nth = numberOf(parameters, "nth", 0);
    const holds = textOf<"no" | "yes" | "onwards">(parameters, "hold", "no");
    const waitsForReply = textOf(parameters, "moment", "sent") === "applied";
    const isExtension = textOf(parameters, "extension", "no") === "yes" ? extensionRecognizer() : () => true;
    let count = 0;
    /** Whose replies are held from now on. */
    let heldSource: string | undefined;
    return (link) => {
      // A process that takes the place of a killed one is not held up with it.
      const isLater = heldSource !== undefined;
      return {
        command(command): CommandAction | undefined {
          if (!matches(command) || !isExtension(link, command)) return undefined;
          count++;
          if (nth !== 0 && count !== nth) return heldSource === link.source && !isLater ? held : undefined;
          if (holds === "onwards") heldSource = link.source;
          if (waitsForReply) {
            return { ...(holds === "no" ? passing : held), arrived: () => link.reportNow(command) };
          }
          link.report(command);
          return holds === "no" ? undefined : held;
        },
      };
    };
  },
});

const held = { kind: "delay-reply", ms: Number.POSITIVE_INFINITY } as const;
const passing = { kind: "delay-reply", ms: 0 } as const;
