import type { RunnerOracle } from "./oracle.ts";

export const crash: RunnerOracle = {
  name: "CRASH",
  title: "it threw, hung or broke the contract",
  tier: "step",
  kind: "runner",
  summary: "The adapter threw, hung, ended its thread or broke the contract",
};
