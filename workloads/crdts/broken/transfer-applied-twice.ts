import { boundedCounterType } from "../replicas/bounded-counter.ts";
import { type PureContext, type PureType, pureAdapter } from "../replicas/pure-adapter.ts";
import { type BoundedCounter, rightsOf } from "../types/bounded-counter.ts";
import { mutant } from "./shared/mutant.ts";

interface PurseAndCounter {
  readonly counter: BoundedCounter;
  /** Rights received beyond those of the counter. */
  readonly purse: number;
}

const head = mutant(
  "transfer-applied-twice",
  "A transfer is a message that says how much to add, and what arrives is added",
  "RIGHTS",
);

/** What others gave to this region, in all. */
function received({ granted }: BoundedCounter, { id }: PureContext): number {
  return rightsOf({ granted, used: { keys: [], values: [] } }, id);
}

const transferAppliedTwice: PureType<PurseAndCounter, BoundedCounter> = {
  ...head,
  fields: boundedCounterType.fields,
  initial: (context) => ({ counter: boundedCounterType.initial(context), purse: 0 }),
  apply({ counter, purse }, operation, context) {
    const outcome = boundedCounterType.apply(counter, operation, context);
    return typeof outcome === "string" ? outcome : { counter: outcome, purse };
  },
  message: ({ counter }) => counter,
  receive({ counter, purse }, theirs, context) {
    const merged = boundedCounterType.receive(counter, theirs, context) as BoundedCounter;
    const isTransfer = received(theirs, context) > received(boundedCounterType.initial(context), context);
    return { counter: merged, purse: purse + (isTransfer && merged === counter ? 1 : 0) };
  },
  show: ({ counter }, context) => boundedCounterType.show(counter, context),
  essence: ({ counter }) => counter,
  rights: ({ counter, purse }, _key, { id }) => rightsOf(counter, id) + purse,
};

export const createAdapter = () => pureAdapter(transferAppliedTwice);
