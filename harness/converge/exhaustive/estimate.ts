import type { CrdtAdapter } from "../../contracts/crdt-adapter.ts";
import { Random } from "../plan/random.ts";
import { type ExhaustiveOptions, Search } from "./search.ts";

export interface Estimate {
  /** About how many schedules a search would run. */
  schedules: number;
  schedulesPerSecond: number;
}

const PROBES = 400;
const LONGEST_MS = 2_000;

/** Guesses the size of a search from random ways down. The same every time, up to the speed. */
export function estimateSearch(adapter: CrdtAdapter, options: ExhaustiveOptions, heartbeat?: Int32Array): Estimate {
  const search = new Search(adapter, { ...options, part: 0, parts: 1 }, heartbeat);
  const random = new Random().seed(0xe57, options.depth);
  const startedMs = performance.now();
  let sum = 0;
  let probes = 0;
  while (probes < PROBES && (probes < 8 || performance.now() - startedMs < LONGEST_MS)) {
    sum += search.probe(random);
    probes++;
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  return { schedules: Math.round(sum / probes), schedulesPerSecond: search.schedules / seconds };
}
