import { orSetType } from "../replicas/or-set.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { mutant } from "./shared/mutant.ts";

const head = mutant(
  "tombstones-not-saved",
  "Only what is in the set needs to be on the disk",
  "RESURRECTED",
  "LIVE-RELOAD",
);

export const createAdapter = () =>
  pureAdapter({
    ...orSetType,
    ...head,
    save: ({ set, sequence }) => ({
      set: { keys: set.keys, values: set.values.map(({ live }) => ({ live, removed: [] })) },
      sequence,
    }),
  });
