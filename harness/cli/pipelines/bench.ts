import type { MicroBenchmark } from "../../bench/micro-benchmark.ts";
import { runBenchmarks } from "../../bench/run-benchmarks.ts";
import type { BenchResult } from "../../results/bench-schema.ts";
import { createRunFolder } from "../../results/store.ts";
import { benchmarkRegistry, chooseBenchmarks } from "../bench/registry.ts";
import { BenchServers } from "../bench/servers.ts";
import type { BenchRequest } from "../bench-request.ts";
import { environmentFacts } from "../environment.ts";
import type { CommandIo } from "../io.ts";
import { runReporters } from "../reporters.ts";
import { toolFacts } from "../version.ts";
import { exitCodeOf } from "./exit-code.ts";

/** Runs benchmarks in turns, stores what was measured and reports it. Gives the exit code. */
export async function runBench(request: BenchRequest, io: CommandIo): Promise<number> {
  const startedAt = new Date();
  const servers = new BenchServers({ redisBin: request.redisBin, tell: (line) => io.progress.note(line) });
  try {
    const chosen = chooseBenchmarks(benchmarkRegistry(servers), request.names);
    const { rounds, timeMs } = request.measurement;
    const startedMs = performance.now();
    const { benchmarks, warnings } = await runBenchmarks(chosen, {
      ...request.measurement,
      signal: io.signal,
      onProgress: ({ name, round }) =>
        io.progress.update({
          phase: `round ${round} of ${rounds}, ${name}`,
          elapsedMs: performance.now() - startedMs,
          totalMs: chosen.length * timeMs * (rounds + 1),
        }),
    });
    io.progress.end();
    const folder = createRunFolder({ out: request.outFolder, kind: "bench", startedAt });
    io.setRunFolder(folder.path);
    const redis = await servers.installation();
    const result = resultOf(request, benchmarks, { id: folder.id, startedAt, interrupted: io.signal.aborted });
    const complete: BenchResult = { ...result, environment: environmentFacts(redis), warnings };
    folder.writePlan(benchPlan(request, chosen));
    folder.writeResult(complete);
    await runReporters(complete, { reporters: request.reporters, folder: folder.path, json: request.json, io });
    return exitCodeOf(complete.status);
  } finally {
    await servers.close();
  }
}

/** What --dry-run --json prints, and what is stored as the plan. */
export function benchPlan({ measurement }: BenchRequest, chosen: readonly MicroBenchmark[]): object {
  return { schema: "harness.plan/1", kind: "bench", names: chosen.map(({ name }) => name), ...measurement };
}

function resultOf(
  { argv, config, replay }: BenchRequest,
  benchmarks: BenchResult["benchmarks"],
  { id, startedAt, interrupted }: { id: string; startedAt: Date; interrupted: boolean },
): BenchResult {
  return {
    schema: "harness.result/1",
    kind: "bench",
    id,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    status: interrupted ? "interrupted" : "passed",
    statusReason: interrupted
      ? "It was interrupted: rounds are missing."
      : "Everything was measured. Figures are of this machine; ratios within one run travel further.",
    seed: 0,
    argv: [...argv],
    config: { ...config },
    replay,
    tool: toolFacts(),
    environment: environmentFacts(),
    findings: [],
    benchmarks,
    warnings: [],
  };
}
