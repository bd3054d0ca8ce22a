import { serializePlan } from "../../results/serialize-plan.ts";
import { defineCommand } from "../command.ts";
import { makeMatrixRequest, matrixTable } from "../matrix-request.ts";

export const command = defineCommand({
  name: "matrix",
  summary: "Which lock holds in which scenario? Locks x scenarios, a few seconds a cell, several at once",
  options: matrixTable,
  section: "matrix",
  examples: [
    { command: "matrix --lock set-nx --lock redlock-5", does: "two locks in every scenario that applies to them" },
    {
      command: "matrix --lock set-nx --lock set-nx-fenced --scenario slow-job --scenario pause-after-grant",
      does: "four cells: what a fencing token is good for",
    },
    { command: "matrix --self-test", does: "are the checks right? Broken locks must be found, sound ones not" },
    { command: "matrix --resume harness-results/latest", does: "goes on where the latest one was cut short" },
  ],
  async run({ options, file }, io) {
    const request = await makeMatrixRequest(options, { cwd: io.cwd, argv: io.argv, file });
    if (options.values.dryRun) {
      const { describeMatrix } = await import("../describe-matrix.ts");
      io.stdout(request.json ? serializePlan(request.plan) : describeMatrix(request, io.width));
      return 0;
    }
    const { runMatrixCommand } = await import("../pipelines/matrix.ts");
    return await runMatrixCommand(request, io);
  },
});
