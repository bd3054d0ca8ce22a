import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { commonOptions } from "../../config/common-options.ts";
import { absolutePath, baseFolder } from "../../config/config-file.ts";
import { convergeOptions } from "../../config/converge-options.ts";
import { lockOptions } from "../../config/lock-options.ts";
import { redactArgv } from "../../config/redact.ts";
import { faultRegistry } from "../../faults/registry.ts";
import { describePlan } from "../../lock/plan/describe.ts";
import { serializePlan } from "../../results/serialize-plan.ts";
import { defineCommand } from "../command.ts";
import { makeReplayRequest } from "../replay-request.ts";
import { loadReporters } from "../reporters.ts";
import { lastingPath } from "../stored-run.ts";

const { emitTest } = convergeOptions;
const { redis, redisBin, runtime, allowFaultsOnExternal } = lockOptions;

export const command = defineCommand({
  name: "replay",
  summary: "Runs a stored plan again (the same arrivals, durations, keys and faults), or a counterexample of converge",
  positionals: [
    { name: "FILE", summary: "A plan.json, a counterexample, or the folder of a run; the latest run by default" },
  ],
  options: { redis, redisBin, runtime, allowFaultsOnExternal, emitTest, ...commonOptions },
  section: "replay",
  examples: [
    { command: "replay", does: "the latest run's plan again" },
    { command: "replay harness-results/latest/plan.json --dry-run", does: "shows a stored plan" },
  ],
  async run({ options: { values, origins }, positionals: [named], file }, io) {
    const folderOf = (key: keyof typeof values) => baseFolder(origins[key], file, io.cwd);
    const argv = redactArgv(io.argv);
    if (named !== undefined && isCounterexample(resolve(io.cwd, named))) {
      const { replayCounterexample } = await import("../pipelines/replay-counterexample.ts");
      const reporters = await loadReporters(values.reporter, folderOf("reporter"));
      const outFolder = absolutePath(folderOf("out"), values.out);
      const path = resolve(io.cwd, named);
      const replay = { shown: lastingPath(named, io.cwd), path, argv, outFolder, reporters, json: values.json };
      if (values.emitTest === undefined) return await replayCounterexample(replay, io);
      const emitted = absolutePath(folderOf("emitTest"), values.emitTest);
      return await replayCounterexample({ ...replay, emitTest: emitted }, io);
    }
    const request = await makeReplayRequest(named, {
      cwd: io.cwd,
      argv,
      outFolder: absolutePath(folderOf("out"), values.out),
      reporters: values.reporter,
      reporterFolder: folderOf("reporter"),
      json: values.json,
      quiet: values.quiet,
      redisUrls: values.redis,
      ...(values.redisBin === undefined ? {} : { redisBin: absolutePath(folderOf("redisBin"), values.redisBin) }),
      runtime: values.runtime,
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

/** By its first bytes: the counterexample of a run, and not the plan of one. */
function isCounterexample(path: string): boolean {
  try {
    return (
      statSync(path).isFile() && /"schema":\s*"harness\.counterexample\//.test(readFileSync(path, "utf8").slice(0, 200))
    );
  } catch {
    return false;
  }
}
