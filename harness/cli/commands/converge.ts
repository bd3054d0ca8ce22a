import { serializePlan } from "../../results/serialize-plan.ts";
import { defineCommand } from "../command.ts";
import { convergeTable, makeConvergeRequest } from "../converge-request.ts";

export const command = defineCommand({
  name: "converge",
  summary: "Do replicas converge, and to the right thing? Random schedules or all short ones, judged after each step",
  options: convergeTable,
  section: "converge",
  examples: [
    { command: "converge --regions 3", does: "the reference document, for ten seconds" },
    {
      command: "converge --crdt row-lww --schedules 200 --seed 7",
      does: "whole rows by wall clock: see what they lose",
    },
    { command: "converge --crdt pn-counter --exhaustive --depth 3", does: "every schedule of three events" },
  ],
  async run({ options, file }, io) {
    const request = await makeConvergeRequest(options, { cwd: io.cwd, argv: io.argv, file });
    if (options.values.dryRun) {
      io.stdout(serializePlan(request.plan));
      return 0;
    }
    if (request.agents) {
      const { runConvergeOnAgents } = await import("../pipelines/converge-agents.ts");
      return await runConvergeOnAgents({ ...request, agents: request.agents }, io);
    }
    const { runConvergeCommand } = await import("../pipelines/converge.ts");
    return await runConvergeCommand(request, io);
  },
});
