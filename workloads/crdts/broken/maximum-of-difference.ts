import { pnCounterType } from "../replicas/pn-counter.ts";
import { pureAdapter } from "../replicas/pure-adapter.ts";
import type { PnCounter } from "../types/pn-counter.ts";
import { mapGet, mapOf } from "../types/sorted-map.ts";
import { mutant } from "./shared/mutant.ts";

const slot = ({ p, n }: PnCounter, region: string) => ({ p: mapGet(p, region) ?? 0, n: mapGet(n, region) ?? 0 });

function mergeByDifference(ours: PnCounter, theirs: PnCounter): PnCounter {
  const regions = [...new Set([ours.p, ours.n, theirs.p, theirs.n].flatMap(({ keys }) => keys))];
  const slots = regions.map((region) => {
    const [a, b] = [slot(ours, region), slot(theirs, region)];
    return [region, a.p - a.n >= b.p - b.n ? a : b] as const;
  });
  return {
    p: mapOf(slots.map(([region, { p }]) => [region, p])),
    n: mapOf(slots.map(([region, { n }]) => [region, n])),
  };
}

const head = mutant(
  "maximum-of-difference",
  "The greater of two values is the later one, so per region the greater difference is kept",
  "LOST-UPDATE",
);

export const createAdapter = () => pureAdapter({ ...pnCounterType, ...head, receive: mergeByDifference });
