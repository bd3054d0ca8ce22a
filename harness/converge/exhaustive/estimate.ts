import type { CrdtAdapter } from "../../contracts/crdt-adapter.ts";
import { Random } from "../plan/random.ts";
import { HEARTBEAT } from "../thread/heartbeat.ts";
import { type ExhaustiveOptions, Search } from "./search.ts";

export interface Estimate {
  /** About how many schedules a search would run. */
  schedules: number;
  schedulesPerSecond: number;
}

const PROBES = 400;
const LONGEST_MS = 2_000;

/**
 * Guesses the size of a search from random ways down. The same every time, up to the speed.
 * @param longestMs what it may take
 */
export function estimateSearch(
  adapter: CrdtAdapter,
  { longestMs = LONGEST_MS, ...options }: ExhaustiveOptions & { longestMs?: number },
  heartbeat?: Int32Array,
): Estimate {
  const search = new Search(adapter, { ...options, part: 0, parts: 1 }, heartbeat);
  const random = new Random().seed(0xe57, options.depth);
  const startedMs = performance.now();
  let sum = 0;
  let probes = 0;
  do {
    sum += search.probe(random);
    probes++;
  } while (
    probes < PROBES &&
    heartbeat?.[HEARTBEAT.stop] !== 1 &&
    (probes < 8 || performance.now() - startedMs < longestMs)
  );
  const seconds = (performance.now() - startedMs) / 1_000;
  return { schedules: Math.round(sum / probes), schedulesPerSecond: search.schedules / seconds };
}
