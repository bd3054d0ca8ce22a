import { pnCounterType } from "../replicas/pn-counter.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { mergeMaps, type SortedMap } from "../types/sorted-map.ts";
import { mutant } from "./shared/mutant.ts";

const add = (a: SortedMap<number>, b: SortedMap<number>) => mergeMaps(a, b, (ours, theirs) => ours + theirs);

const head = mutant("merge-by-sum", "Merging two counters means adding them up", "DOUBLE-COUNT");

export const createAdapter = () =>
  pureAdapter({
    ...pnCounterType,
    ...head,
    receive: (ours, theirs) => ({ p: add(ours.p, theirs.p), n: add(ours.n, theirs.n) }),
  });
