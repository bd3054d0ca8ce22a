import { UsageError } from "../../errors.ts";
import { serializePlan } from "../../results/serialize-plan.ts";
import { defineCommand } from "../command.ts";
import { compareTable, makeCompareRequest, makeTurnsRequest } from "../compare-request.ts";

export const command = defineCommand({
  name: "compare",
  summary: "Compares two stored results, or runs two configurations or builds in turns",
  positionals: [
    {
      name: "BASE",
      summary: "A run's folder, a result.json, latest; with --run a configuration file, options in quotes, or a build",
    },
    { name: "HEAD", summary: "The same, of what is new; the latest run by default" },
  ],
  options: compareTable,
  section: "compare",
  examples: [
    {
      command: "compare base/result.json latest",
      does: "what broke fails; latency is shown, and does not gate by itself",
    },
    {
      command:
        "compare --run '--lock set-nx' '--lock set-nx-fenced' --common '--rate 6000 --faults none --job-time constant(5ms)' --round 2s",
      does: "two locks in turns: what the second costs, with a verdict",
    },
    {
      command: "compare --run ../base . --common 'converge --crdt document' --round 1s",
      does: "two builds of this harness in turns, as CI does with base and head",
    },
    {
      command: "compare --calibrate '--rate 6000 --faults none' --round 1s",
      does: "how far this machine's noise reaches",
    },
  ],
  async run({ options, positionals, file }, io) {
    const { values } = options;
    if (positionals.length === 0 && !values.calibrate)
      throw new UsageError("harness compare needs BASE: a run's folder, a result.json, or with --run what to run.", {
        code: "MISSING_ARGUMENT",
      });
    const request = await makeCompareRequest(options, positionals, { cwd: io.cwd, argv: io.argv, file });
    if (values.run || values.calibrate) {
      const { compareRun, planOf, refusePlans } = await import("../pipelines/compare-run.ts");
      const turns = makeTurnsRequest(request, options, positionals, io.cwd);
      if (values.dryRun) {
        await refusePlans(turns, io);
        io.stdout(serializePlan(planOf(turns)));
        return 0;
      }
      return await compareRun(turns, io);
    }
    const { compareStored } = await import("../pipelines/compare-stored.ts");
    return await compareStored(request, io);
  },
});
