import type { ValueOracle } from "./oracle.ts";

export const order: ValueOracle = {
  name: "ORDER",
  title: "items of a list changed places",
  tier: "step",
  kind: "value",
  summary: "Two items of a list stand in another order than they did before, or do elsewhere",
  explains: ({ reordered }) => reordered,
};
