import { pnCounterType } from "../replicas/pn-counter.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { mergeCounters } from "../types/pn-counter.ts";
import { mutant } from "./shared/mutant.ts";

const head = mutant("forgets-n", "The merge of the one half was copied for the other, and never was", "LOST-UPDATE");

export const createAdapter = () =>
  pureAdapter({
    ...pnCounterType,
    ...head,
    receive: (ours, theirs) => ({ p: mergeCounters(ours, theirs).p, n: ours.n }),
  });
