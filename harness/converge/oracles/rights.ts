import type { RunnerOracle } from "./oracle.ts";

export const rights: RunnerOracle = {
  name: "RIGHTS",
  tier: "step",
  kind: "runner",
  summary: "The rights held and in flight exceed the value of a bounded counter",
};
