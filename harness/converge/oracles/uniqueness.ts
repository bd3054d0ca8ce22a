import type { RunnerOracle } from "./oracle.ts";

export const uniqueness: RunnerOracle = {
  name: "UNIQUENESS",
  tier: "step",
  kind: "runner",
  summary: "Two claims of one key were both accepted",
};
