import type { MicroBenchmark } from "../../bench/micro-benchmark.ts";
import { didYouMean } from "../../config/nearest.ts";
import { UsageError } from "../../errors.ts";
import { clockBenchmarks } from "./clocks.ts";
import { crdtBenchmarks } from "./crdts.ts";
import { lockBenchmarks } from "./locks.ts";
import { measureBenchmarks } from "./measures.ts";
import { proxyBenchmarks } from "./proxies.ts";
import type { BenchServers } from "./servers.ts";

/** Every micro-benchmark, in the order in which it runs. */
export function benchmarkRegistry(servers: BenchServers): readonly MicroBenchmark[] {
  return [
    ...lockBenchmarks(servers),
    ...proxyBenchmarks(servers),
    ...crdtBenchmarks,
    ...clockBenchmarks,
    ...measureBenchmarks,
  ];
}

/**
 * Those that are asked for: by their whole name, or by its first parts (`lock`, `crdt/document`). None named: all but
 * those of npm packages. What one of them is set against runs as well. Throws `UsageError` for a name that there is not.
 */
export function chooseBenchmarks(all: readonly MicroBenchmark[], names: readonly string[]): readonly MicroBenchmark[] {
  const chosen = new Set<MicroBenchmark>();
  if (names.length === 0) for (const one of all) if (one.onlyByName !== true) chosen.add(one);
  for (const name of names) {
    const exact = all.filter((one) => one.name === name);
    const under = all.filter((one) => one.name.startsWith(`${name}/`));
    const found =
      exact.length > 0 ? exact : under.some((one) => !one.onlyByName) ? under.filter((one) => !one.onlyByName) : under;
    if (found.length === 0) throw unknownName(name, all);
    for (const one of found) chosen.add(one);
  }
  const peers = new Set([...chosen].map(({ ratioTo }) => ratioTo));
  return all.filter((one) => chosen.has(one) || peers.has(one.name));
}

function unknownName(name: string, all: readonly MicroBenchmark[]): UsageError {
  const names = all.flatMap((one) => [one.name, one.name.slice(0, one.name.lastIndexOf("/"))]);
  return new UsageError(
    `There is no benchmark "${name}".${didYouMean(name, [...new Set(names)])} \`harness list benchmarks\` lists them.`,
    { code: "UNKNOWN_NAME" },
  );
}
