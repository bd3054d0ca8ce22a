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
import { isConvergePlan, makeConvergeReplay } from "../replay-converge.ts";
import { makeReplayRequest, planPath } from "../replay-request.ts";
import { loadReporters } from "../reporters.ts";
import { lastingPath } from "../stored-run.ts";

const { emitTest } = convergeOptions;
const { redis, redisBin, runtime, allowFaultsOnExternal } = lockOptions;

export const command = defineCommand({
  name: "replay",
  summary:
    "Runs a stored plan again: of a lock run (the same arrivals, durations, keys and faults) or of converge; or a counterexample",
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
    const { json, emitTest } = values;
    const common = {
      ...{ cwd: io.cwd, argv: redactArgv(io.argv), json },
      outFolder: absolutePath(folderOf("out"), values.out),
    };
    const forConverge = async () => ({
      ...common,
      reporters: await loadReporters(values.reporter, folderOf("reporter")),
      ...(emitTest === undefined ? {} : { emitTest: absolutePath(folderOf("emitTest"), emitTest) }),
    });
    if (named !== undefined && isCounterexample(resolve(io.cwd, named))) {
      const { replayCounterexample } = await import("../pipelines/replay-counterexample.ts");
      const replay = { ...(await forConverge()), shown: lastingPath(named, io.cwd), path: resolve(io.cwd, named) };
      return await replayCounterexample(replay, io);
    }
    const plan = planPath(named, io.cwd);
    if (isConvergePlan(plan)) {
      const request = makeConvergeReplay(plan, await forConverge());
      if (values.dryRun) {
        io.stdout(serializePlan(request.plan));
        return 0;
      }
      const { runConvergeCommand } = await import("../pipelines/converge.ts");
      return await runConvergeCommand(request, io);
    }
    const request = await makeReplayRequest(named, {
      ...common,
      reporters: values.reporter,
      reporterFolder: folderOf("reporter"),
      quiet: values.quiet,
      redisUrls: values.redis,
      ...(values.redisBin === undefined ? {} : { redisBin: absolutePath(folderOf("redisBin"), values.redisBin) }),
      runtime: values.runtime,
      allowFaultsOnExternal: values.allowFaultsOnExternal,
    });
    if (values.dryRun) {
      io.stdout(json ? serializePlan(request.plan) : `${describePlan(request.plan, faultRegistry)}\n`);
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
