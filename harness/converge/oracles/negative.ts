import type { RunnerOracle } from "./oracle.ts";

export const negative: RunnerOracle = {
  name: "NEGATIVE",
  title: "a bounded counter went below zero",
  tier: "step",
  kind: "runner",
  summary: "A bounded counter shows less than zero",
};
