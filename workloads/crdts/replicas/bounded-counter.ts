import {
  type BoundedCounter,
  boundedCounterValue,
  decrease,
  emptyBoundedCounter,
  increase,
  mergeBoundedCounters,
  rightsOf,
  transferRights,
} from "../types/bounded-counter.ts";
import { type PureType, pureAdapter } from "./pure-adapter.ts";

const INITIAL = 5;

export const boundedCounterType: PureType<BoundedCounter> = {
  name: "bounded-counter",
  summary: "stock that is never oversold: each region uses up rights that it holds, and may transfer them",
  fields: [{ name: "stock", type: "bounded-counter", initial: INITIAL }],
  initial: ({ regions }) => initialStock(regions),
  apply(counter, { kind, amount, to }, { id }) {
    if (kind === "increment") return increase(counter, id, amount);
    if (amount > rightsOf(counter, id)) return "INSUFFICIENT_RIGHTS";
    return kind === "decrement" ? decrease(counter, id, amount) : transferRights(counter, id, to, amount);
  },
  message: (counter) => counter,
  receive: mergeBoundedCounters,
  show: (counter) => ({ stock: boundedCounterValue(counter) }),
  rights: (counter, _key, { id }) => rightsOf(counter, id),
};

/** Dealt out one by one, so that every replica starts from the same state. */
export function initialStock(regions: readonly string[]): BoundedCounter {
  let counter = emptyBoundedCounter();
  for (let unit = 0; unit < INITIAL; unit += 1) {
    counter = increase(counter, regions[unit % regions.length] as string, 1);
  }
  return counter;
}

export const createAdapter = () => pureAdapter(boundedCounterType);
