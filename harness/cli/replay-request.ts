import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { refuseUnwritable } from "../config/outside.ts";
import type { LockPlan } from "../contracts/lock-plan.ts";
import type { ModuleRef } from "../contracts/module-ref.ts";
import { UsageError } from "../errors.ts";
import { faultNamed } from "../faults/registry.ts";
import { parseLockPlan } from "../results/lock-plan-schema.ts";
import { PLAN_FILE } from "../results/store.ts";
import { readStoredPlan } from "../results/stored-document.ts";
import type { LockRequest } from "./lock-request.ts";
import { shellQuote } from "./replay-command.ts";
import { loadReporters } from "./reporters.ts";
import { findRunFolder, lastingPath, namesFile } from "./stored-run.ts";
import { findWorkload, loadJob, loadLock, type WorkloadKind } from "./workloads.ts";

export interface ReplayOptions extends Omit<LockRequest, "plan" | "config" | "replay" | "reporters"> {
  cwd: string;
  reporters: readonly string[];
  reporterFolder: string;
}

/** A stored plan as a run that is ready to start. Starts nothing; throws `UsageError` or `UnavailableError`. */
export async function makeReplayRequest(named: string | undefined, options: ReplayOptions): Promise<LockRequest> {
  const { cwd, reporterFolder, ...rest } = options;
  const path = planPath(named, cwd);
  const plan = rebind(readStoredPlan(path, "lock", parseLockPlan));
  refuseUnfitServers(plan, options);
  for (const { lock } of plan.arms) await loadLock({ ref: lock, options: lock.options });
  if (plan.load.kind === "open") await loadJob({ ref: plan.job, options: {} });
  refuseUnwritable(options.outFolder);
  return {
    ...rest,
    plan,
    reporters: await loadReporters(options.reporters, reporterFolder),
    config: { plan: path, seed: String(plan.seed) },
    replay: `npx harness replay ${shellQuote(relative(cwd, path) || path)}`,
  };
}

/** The plan that was named, by itself or by the folder of its run; else that of the latest run. */
export function planPath(named: string | undefined, cwd: string): string {
  return named !== undefined && namesFile(named)
    ? resolve(cwd, lastingPath(named, cwd))
    : join(findRunFolder(named, { cwd }), PLAN_FILE);
}

/** A plan names modules by their path, which on another machine is another. What is built in is found by its name. */
function rebind(plan: LockPlan): LockPlan {
  return {
    ...plan,
    queue: rebound("queue", plan.queue),
    job: { ...plan.job, ...rebound("job", plan.job) },
    arms: plan.arms.map((arm) => ({ ...arm, lock: { ...arm.lock, ...rebound("lock", arm.lock) } })),
  };
}

export function rebound(kind: WorkloadKind, { name, path }: ModuleRef): ModuleRef {
  if (existsSync(path)) return { name, path };
  if (/[/\\]dist[/\\]workloads[/\\]/.test(path)) return findWorkload(kind, name, ".").ref;
  throw new UsageError(`The plan's ${kind} ${name} was at ${path}, and is not there.`, { code: "NO_FILE" });
}

function refuseUnfitServers(plan: LockPlan, { redisUrls, redisBin, allowFaultsOnExternal }: ReplayOptions): void {
  if (plan.topology === "external" && redisUrls.length === 0) {
    throw new UsageError("This plan ran on servers of its own user: name them with --redis URL.", {
      code: "IMPOSSIBLE",
    });
  }
  if (plan.topology !== "external" && redisUrls.length > 0) {
    throw new UsageError(`This plan starts its own servers (topology ${plan.topology}): leave out --redis.`, {
      code: "IMPOSSIBLE",
    });
  }
  if (redisUrls.length > 0 && redisBin !== undefined) {
    throw new UsageError("--redis uses servers that run already and --redis-bin starts some: give one of the two.", {
      code: "IMPOSSIBLE",
    });
  }
  const names = plan.rounds.flatMap(({ faults }) => faults.map(({ name }) => name));
  const harmful = names.find((name) => faultNamed(name)?.needsOwnServer);
  if (redisUrls.length > 0 && !allowFaultsOnExternal && harmful !== undefined) {
    throw new UsageError(
      `${harmful} would hurt others on servers that the run does not own. Allow it with --allow-faults-on-external.`,
      { code: "IMPOSSIBLE" },
    );
  }
  const unknown = names.find((name) => faultNamed(name) === undefined);
  if (unknown !== undefined)
    throw new UsageError(`The plan has a fault "${unknown}", which this harness does not know.`, { code: "BAD_PLAN" });
}
