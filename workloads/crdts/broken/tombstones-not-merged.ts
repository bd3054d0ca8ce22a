import { orSetType } from "../replicas/or-set.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { mergeSets } from "../types/or-set.ts";
import { mutant } from "./shared/mutant.ts";

const head = mutant(
  "tombstones-not-merged",
  "Tombstones keep old messages away from the one who removed, and the others need none",
  "RESURRECTED",
  "NOT-COMMUTATIVE",
);

export const createAdapter = () =>
  pureAdapter({
    ...orSetType,
    ...head,
    receive({ set, sequence }, theirs) {
      const values = theirs.values.map(({ live }) => ({ live, removed: [] }));
      return { set: mergeSets(set, { keys: theirs.keys, values }), sequence };
    },
  });
