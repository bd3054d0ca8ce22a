import { addToCounter, counterValue, emptyCounter, mergeCounters, type PnCounter } from "../types/pn-counter.ts";
import { type PureType, pureAdapter } from "./pure-adapter.ts";

export const pnCounterType: PureType<PnCounter> = {
  name: "pn-counter",
  summary: "a counter that every region raises and lowers, by its own slots; it may go below zero",
  fields: [{ name: "count", type: "counter" }],
  initial: emptyCounter,
  apply: (counter, { amount }, { id }) => addToCounter(counter, id, amount),
  message: (counter) => counter,
  receive: mergeCounters,
  show: (counter) => ({ count: counterValue(counter) }),
};

export const createAdapter = () => pureAdapter(pnCounterType);
