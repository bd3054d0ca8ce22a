import { commonOptions } from "../../config/common-options.ts";
import { absolutePath, baseFolder } from "../../config/config-file.ts";
import { lockOptions } from "../../config/lock-options.ts";
import { redactArgv } from "../../config/redact.ts";
import { faultRegistry } from "../../faults/registry.ts";
import { describePlan } from "../../lock/plan/describe.ts";
import { serializePlan } from "../../lock/plan/lock-plan.ts";
import { defineCommand } from "../command.ts";
import { makeReplayRequest } from "../replay-request.ts";

const { redis, redisBin, allowFaultsOnExternal } = lockOptions;

export const command = defineCommand({
  name: "replay",
  summary: "Runs a stored plan again: the same arrivals, durations, keys and faults",
  positionals: [{ name: "FILE", summary: "A plan.json, or the folder of a run; the latest run by default" }],
  options: { redis, redisBin, allowFaultsOnExternal, ...commonOptions },
  section: "replay",
  examples: [
    { command: "replay", does: "the latest run's plan again" },
    { command: "replay harness-results/latest/plan.json --dry-run", does: "shows a stored plan" },
  ],
  async run({ options: { values, origins }, positionals: [named], file }, io) {
    const folderOf = (key: keyof typeof values) => baseFolder(origins[key], file, io.cwd);
    const request = await makeReplayRequest(named, {
      cwd: io.cwd,
      argv: redactArgv(io.argv),
      outFolder: absolutePath(folderOf("out"), values.out),
      reporters: values.reporter,
      reporterFolder: folderOf("reporter"),
      json: values.json,
      quiet: values.quiet,
      redisUrls: values.redis,
      ...(values.redisBin === undefined ? {} : { redisBin: absolutePath(folderOf("redisBin"), values.redisBin) }),
      allowFaultsOnExternal: values.allowFaultsOnExternal,
    });
    if (values.dryRun) {
      io.stdout(values.json ? serializePlan(request.plan) : `${describePlan(request.plan, faultRegistry)}\n`);
      return 0;
    }
    const { runLock } = await import("../pipelines/lock.ts");
    return await runLock(request, io);
  },
});
