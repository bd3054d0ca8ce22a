import { networkFault } from "../network-fault.ts";

/** Nobody listens: connecting is refused. Where only some clients are meant, theirs are reset as soon as they are there. */
export const refuse = networkFault({
  name: "refuse",
  summary: "New connections are refused, existing ones closed",
  parameters: {},
  targets: ["node", "link", "client"],
  look: { colour: "network", pattern: "cross" },
  refusesConnections: true,
  prepare: () => (link) => {
    link.close();
    return {};
  },
});
