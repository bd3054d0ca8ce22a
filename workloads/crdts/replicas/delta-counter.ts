import { counterChange, deltaCounter } from "../types/delta-counter.ts";
import { counterValue, type PnCounter } from "../types/pn-counter.ts";
import { type ByDelta, byDelta } from "./by-delta.ts";
import { pureAdapter } from "./pure-adapter.ts";

export const deltaCounterParts: ByDelta<PnCounter, PnCounter> = {
  name: "delta-counter",
  summary: "the counter by deltas: only the slots that changed are sent",
  fields: [{ name: "count", type: "counter" }],
  delta: deltaCounter,
  change: ({ state }, { amount }, region) => counterChange(state, region, amount),
  show: (counter) => ({ count: counterValue(counter) }),
};

export const createAdapter = () => pureAdapter(byDelta(deltaCounterParts));
