import type { MachineNeed } from "../../contracts/fault.ts";
import type { LockPlan } from "../../contracts/lock-plan.ts";
import { faultNamed } from "../../faults/registry.ts";
import { type FindFaketimeOptions, faketimeEnvironment } from "../../redis/faketime.ts";
import type { RedisInstallation } from "../../redis/installation.ts";
import { refuseWithoutMount } from "../../redis/small-disk.ts";

/** What the lock's servers run in, where a fault of the plan takes more than the usual. */
export interface Surroundings {
  /** Environment of the servers. */
  env: Readonly<Record<string, string>>;
  /** True: on a small disk of their own. */
  smallDisk: boolean;
}

/**
 * Finds what the faults of a plan need of the machine, before anything starts.
 * @throws UnavailableError for what is not there, with how to get it
 */
export async function prepareSurroundings(
  plan: LockPlan,
  redis: RedisInstallation,
  options: FindFaketimeOptions,
): Promise<Surroundings> {
  const needs = needsOf(plan);
  if (needs.has("small-disk")) refuseWithoutMount();
  const env = needs.has("faketime") ? await faketimeEnvironment(redis, options) : {};
  return { env, smallDisk: needs.has("small-disk") };
}

function needsOf({ rounds }: LockPlan): Set<MachineNeed> {
  const names = new Set(rounds.flatMap(({ faults }) => faults.map(({ name }) => name)));
  return new Set([...names].flatMap((name) => faultNamed(name)?.needs ?? []));
}
