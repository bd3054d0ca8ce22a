import type { RunnerOracle } from "./oracle.ts";

export const rights: RunnerOracle = {
  name: "RIGHTS",
  title: "more rights were given out than there are",
  tier: "step",
  kind: "runner",
  summary: "The rights held and in flight exceed the value of a bounded counter",
};
