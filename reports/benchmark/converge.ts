import type { ConvergeResult } from "../../harness/results/converge-schema.ts";
import { whoRan } from "../converge/summary.ts";
import { type BenchmarkEntry, spread } from "./figures.ts";

/** Time a schedule takes, since smaller is better. */
export function convergeEntries(result: ConvergeResult): BenchmarkEntry[] {
  const { crdts, seed, environment } = result;
  return crdts
    .filter(({ mutant, schedulesPerSecond }) => mutant === undefined && schedulesPerSecond > 0)
    .map(({ name, schedulesPerSecond, speeds = [] }) => {
      const range = spread(speeds.filter((speed) => speed > 0).map((speed) => 1e6 / speed));
      return {
        name: `${name}: schedule`,
        unit: "µs",
        value: 1e6 / schedulesPerSecond,
        ...(range === undefined ? {} : { range }),
        extra: `seed ${seed}, ${whoRan(result)}, ${environment.cpu}, Node ${environment.node}`,
      };
    });
}
