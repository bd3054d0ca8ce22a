import { pnCounterType } from "../replicas/pn-counter.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import { mapGet, mapWith } from "../types/sorted-map.ts";
import { mutant } from "./shared/mutant.ts";

const head = mutant(
  "single-map-counter",
  "One sum per region is enough, since a negative delta makes it smaller",
  "LOST-UPDATE",
);

export const createAdapter = () =>
  pureAdapter({
    ...pnCounterType,
    ...head,
    apply: ({ p, n }, { amount }, { id }) => ({ p: mapWith(p, id, (mapGet(p, id) ?? 0) + amount), n }),
  });
