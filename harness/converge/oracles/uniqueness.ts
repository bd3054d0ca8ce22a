import type { RunnerOracle } from "./oracle.ts";

export const uniqueness: RunnerOracle = {
  name: "UNIQUENESS",
  title: "one key was given out twice",
  tier: "step",
  kind: "runner",
  summary: "Two claims of one key were both accepted",
};
