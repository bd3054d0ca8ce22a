import type { RunnerOracle } from "./oracle.ts";

export const inputMutated: RunnerOracle = {
  name: "INPUT-MUTATED",
  title: "a message was changed",
  tier: "deep",
  kind: "runner",
  summary: "A message changed after it was sent, or by being received",
};
