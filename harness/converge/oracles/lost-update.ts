import type { ValueOracle } from "./oracle.ts";

export const lostUpdate: ValueOracle = {
  name: "LOST-UPDATE",
  title: "an update was lost",
  tier: "step",
  kind: "value",
  summary: "A known operation has no effect, and no known operation explains why",
  explains: () => true,
};
