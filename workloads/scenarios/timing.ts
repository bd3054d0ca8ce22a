import type { ScenarioJob, ScenarioLock, ScenarioPlan } from "../../harness/contracts/scenario.ts";

/** Refused jobs come again soon: what most scenarios share. */
export const quick = { visibilityMs: 100, claimIntervalMs: 30 } as const satisfies Partial<ScenarioPlan>;

/**
 * Worker 1 is the first: what the others ask for takes 150 ms longer to the servers. Both get a job at the same instant, and
 * the faults are aimed at worker 1.
 */
export const worker1First = (others: number, forTime = "600ms"): string =>
  `latency(base=150ms, direction=requests, target=client:2${others > 1 ? `..${others + 1}` : ""}, for=${forTime})`;

/**
 * The same of two workers for any lock: what a lock asks of something other than Redis passes no proxy, and cannot be held
 * up there. Worker 2 is stopped instead, before the first job arrives, and until worker 1 has had time to be granted it.
 * Jobs may begin at `fromMs`.
 */
function worker1FirstOfTwo({ capabilities }: ScenarioLock): { faults: string; fromMs: number } {
  return capabilities.usesRedis === false
    ? { faults: "worker-stop(target=worker:2, at=50ms, for=400ms)", fromMs: 250 }
    : { faults: worker1First(1), fromMs: 0 };
}

/** Two workers, and a job for each of one key, in the plan of every scenario about its first holder: worker 1. */
export function firstHolderOfTwo(
  lock: ScenarioLock,
  { ttlMs, forMs, faults, roundMs }: { ttlMs: number; forMs: number; faults: string; roundMs: number },
): ScenarioPlan {
  const first = worker1FirstOfTwo(lock);
  const time = { atMs: first.fromMs, forMs };
  return {
    ...quick,
    ...{ workers: 2, ttlMs, roundMs },
    load: { jobs: jobsOfOneKey([time, time]) },
    faults: `${first.faults}, ${faults}`,
  };
}

/** Jobs of one key, one after the other. */
export function jobsOfOneKey(times: readonly { atMs: number; forMs: number }[], key = "k1"): ScenarioJob[] {
  return times.map((time) => ({ key, ...time }));
}

/** A job every so often, each with a key of its own. */
export function steadyJobs({
  everyMs,
  untilMs,
  forMs,
}: {
  everyMs: number;
  untilMs: number;
  forMs: number;
}): ScenarioJob[] {
  const jobs: ScenarioJob[] = [];
  for (let atMs = everyMs; atMs < untilMs; atMs += everyMs) jobs.push({ key: `k${jobs.length + 1}`, atMs, forMs });
  return jobs;
}
