import { serializePlan } from "../../results/serialize-plan.ts";
import { benchTable, makeBenchRequest } from "../bench-request.ts";
import { defineCommand } from "../command.ts";

export const command = defineCommand({
  name: "bench",
  summary: "Micro-benchmarks: acquire and release per lock, apply and receive per CRDT, clock, histogram, proxy",
  positionals: [
    {
      name: "NAME",
      summary: "Which: a name or its first part, such as lock or crdt/document; all by default",
      many: true,
    },
  ],
  options: benchTable,
  section: "bench",
  examples: [
    { command: "bench clock measure", does: "the clock and the histogram, in a few seconds" },
    { command: "bench lock/set-nx lock/redlock --json > bench.json", does: "two locks, against the bare commands" },
  ],
  async run({ options, positionals, file }, io) {
    const request = await makeBenchRequest(options, positionals, { cwd: io.cwd, argv: io.argv, file });
    const { benchPlan, runBench } = await import("../pipelines/bench.ts");
    if (options.values.dryRun) {
      const { benchmarkRegistry, chooseBenchmarks } = await import("../bench/registry.ts");
      const { BenchServers } = await import("../bench/servers.ts");
      const nothing = new BenchServers({ redisBin: undefined, tell: () => {} });
      const chosen = chooseBenchmarks(benchmarkRegistry(nothing), request.names);
      const text = chosen.map(({ name, summary }) => `${name}: ${summary}\n`).join("");
      io.stdout(request.json ? serializePlan(benchPlan(request, chosen)) : text);
      return 0;
    }
    return await runBench(request, io);
  },
});
