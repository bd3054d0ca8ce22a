import { HybridLogicalClock } from "../../../workloads/crdts/types/hlc.ts";
import { type MicroBenchmark, timeBatch } from "../../bench/micro-benchmark.ts";

const OPERATIONS = 2_000;

/** A wall clock that goes on by a millisecond every few readings, as under load. */
function steadyClock() {
  let readings = 0;
  return { now: () => 1_700_000_000_000 + (readings++ >> 3) };
}

/** The hybrid logical clock: a local event, and a message that arrives. */
export const clockBenchmarks: readonly MicroBenchmark[] = [
  {
    name: "clock/hlc-now",
    group: "clock",
    unit: "ns",
    summary: "Issues the timestamp of a local event",
    prepare() {
      const clock = new HybridLogicalClock({ node: "fra", clock: steadyClock() });
      return { run: () => timeBatch(OPERATIONS, () => clock.now()) };
    },
  },
  {
    name: "clock/hlc-receive",
    group: "clock",
    unit: "ns",
    summary: "Takes in the timestamp of a message",
    prepare() {
      const clock = new HybridLogicalClock({ node: "fra", clock: steadyClock() });
      const remote = new HybridLogicalClock({ node: "cai", clock: steadyClock() });
      return {
        run() {
          const stamps = Array.from({ length: OPERATIONS }, () => remote.now());
          return timeBatch(OPERATIONS, (index) => clock.receive(stamps[index] as (typeof stamps)[number]));
        },
      };
    },
  },
];
