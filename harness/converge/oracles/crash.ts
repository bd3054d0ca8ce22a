import type { RunnerOracle } from "./oracle.ts";

export const crash: RunnerOracle = {
  name: "CRASH",
  tier: "step",
  kind: "runner",
  summary: "The adapter threw, hung, ended its thread or broke the contract",
};
