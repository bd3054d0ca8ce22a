import type { ValueOracle } from "./oracle.ts";

export const lostUpdate: ValueOracle = {
  name: "LOST-UPDATE",
  tier: "step",
  kind: "value",
  summary: "A known operation has no effect, and no known operation explains why",
  explains: () => true,
};
