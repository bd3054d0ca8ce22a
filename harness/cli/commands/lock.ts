import { faultRegistry } from "../../faults/registry.ts";
import { describePlan } from "../../lock/plan/describe.ts";
import { serializePlan } from "../../results/serialize-plan.ts";
import { defineCommand } from "../command.ts";
import { lockTable, makeLockRequest } from "../lock-request.ts";

export const command = defineCommand({
  name: "lock",
  summary: "The lock experiment: the same jobs with and without the lock, under the same faults",
  options: lockTable,
  section: "lock",
  examples: [
    { command: "lock --workers 4 --rate 1200", does: "the article's experiment, in a minute and a half" },
    {
      command: "lock --ttl 500ms --job-time 'constant(3s)' --duration 15s",
      does: "a lease shorter than the job: see how the lock fails",
    },
    {
      command: "lock --faults 'redis-pause(at=1s, for=2s), worker-stop(on=grant, nth=3, for=1.5s)' --dry-run",
      does: "faults of your own; --dry-run prints the explicit plan and starts nothing",
    },
  ],
  async run({ options, file }, io) {
    const request = await makeLockRequest(options, { cwd: io.cwd, argv: io.argv, file });
    if (options.values.dryRun) {
      io.stdout(request.json ? serializePlan(request.plan) : `${describePlan(request.plan, faultRegistry)}\n`);
      return 0;
    }
    const { runLock } = await import("../pipelines/lock.ts");
    return await runLock(request, io);
  },
});
