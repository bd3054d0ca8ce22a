import type { ValueOracle } from "./oracle.ts";

export const addLost: ValueOracle = {
  name: "ADD-LOST",
  title: "something that was added is missing",
  tier: "step",
  kind: "value",
  summary: "An element is missing although a known add was seen by no known remove",
  explains: ({ type, shown }) => type === "set" && shown === false,
};
