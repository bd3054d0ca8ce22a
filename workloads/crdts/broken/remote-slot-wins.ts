import { pnCounterType } from "../replicas/pn-counter.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { mergeMaps, type SortedMap } from "../types/sorted-map.ts";
import { mutant } from "./shared/mutant.ts";

const takeTheirs = (a: SortedMap<number>, b: SortedMap<number>) => mergeMaps(a, b, (_, theirs) => theirs);

const head = mutant("remote-slot-wins", "What comes in is newer than what is here", "LOST-UPDATE");

export const createAdapter = () =>
  pureAdapter({
    ...pnCounterType,
    ...head,
    receive: (ours, theirs) => ({ p: takeTheirs(ours.p, theirs.p), n: takeTheirs(ours.n, theirs.n) }),
  });
