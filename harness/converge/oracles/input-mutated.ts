import type { RunnerOracle } from "./oracle.ts";

export const inputMutated: RunnerOracle = {
  name: "INPUT-MUTATED",
  tier: "deep",
  kind: "runner",
  summary: "A message changed after it was sent, or by being received",
};
