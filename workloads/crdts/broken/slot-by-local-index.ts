import { pnCounterType } from "../replicas/pn-counter.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { addToCounter } from "../types/pn-counter.ts";
import { mutant } from "./shared/mutant.ts";

const head = mutant(
  "slot-by-local-index",
  "A replica is number 0 in its own list of replicas, so slot 0 is its own",
  "LOST-UPDATE",
);

export const createAdapter = () =>
  pureAdapter({ ...pnCounterType, ...head, apply: (counter, { amount }) => addToCounter(counter, "0", amount) });
