import type { RunnerOracle } from "./oracle.ts";

export const rejectMutated: RunnerOracle = {
  name: "REJECT-MUTATED",
  title: "a refused message changed something",
  tier: "step",
  kind: "runner",
  summary: "A message that was refused changed the value, the state or the clock",
};
