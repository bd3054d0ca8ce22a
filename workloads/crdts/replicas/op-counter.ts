import {
  type CounterOperation,
  counterEffect,
  emptyOpCounter,
  incrementOperation,
  type OpCounter,
  opCounterValue,
  resetOperation,
} from "../types/op-counter.ts";
import { type ByOperation, byOperation } from "./by-operation.ts";
import { pureAdapter } from "./pure-adapter.ts";

export const opCounterParts: ByOperation<OpCounter, CounterOperation> = {
  name: "op-counter",
  summary: "the counter by operations, each applied once and after its causes, with a reset of what was seen",
  fields: [{ name: "count", type: "counter", resets: true }],
  empty: emptyOpCounter(),
  effect: counterEffect,
  payload: ({ state, version }, { kind, amount }) =>
    kind === "reset" ? resetOperation(state, version) : incrementOperation(amount),
  show: (counter) => ({ count: opCounterValue(counter) }),
};

export const createAdapter = () => pureAdapter(byOperation(opCounterParts));
