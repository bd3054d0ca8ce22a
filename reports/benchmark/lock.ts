import type { ArmResult, Latency, LockResult } from "../../harness/results/lock-schema.ts";
import { type BenchmarkEntry, spread } from "./figures.ts";

/** Latencies and lost throughput of the lock arms. Percentiles come only from as many samples as carry them. */
export function lockEntries({ arms, environment, seed }: LockResult): BenchmarkEntry[] {
  const extra = `seed ${seed}, ${environment.cpu}, ${environment.cores} cores, Node ${environment.node}, Redis ${environment.redis?.version ?? "none"}`;
  return arms
    .filter(({ role }) => role === "lock")
    .flatMap((arm) => [...armEntries(arm)].map((entry) => ({ ...entry, extra })));
}

function* armEntries(arm: ArmResult): Generator<BenchmarkEntry> {
  const kinds: [string, (figures: Pick<ArmResult, "acquire" | "acquireOutsideFaults" | "response">) => Latency][] = [
    ["acquire", ({ acquire }) => acquire],
    ["acquire outside faults", ({ acquireOutsideFaults }) => acquireOutsideFaults],
    ["response", ({ response }) => response],
  ];
  for (const [kind, pick] of kinds) {
    const latency = pick(arm);
    for (const [percentile, key, needed] of percentiles) {
      const value = latency[key];
      if (value === null || latency.count < needed) continue;
      const range = spread(arm.rounds.map((round) => pick(round)[key]).filter((ms) => ms !== null));
      yield {
        name: `${arm.name}: ${kind} ${percentile}`,
        unit: "ms",
        value,
        ...(range === undefined ? {} : { range }),
      };
    }
  }
  const { offered, executed } = arm.jobs;
  if (offered > 0)
    yield { name: `${arm.name}: jobs offered but not executed`, unit: "%", value: (1 - executed / offered) * 100 };
  if (arm.cyclesPerSecond)
    yield { name: `${arm.name}: acquire and release`, unit: "µs/cycle", value: 1e6 / arm.cyclesPerSecond };
}

const percentiles = [
  ["P50", "p50Ms", 100],
  ["P90", "p90Ms", 100],
  ["P99", "p99Ms", 1000],
] as const;
