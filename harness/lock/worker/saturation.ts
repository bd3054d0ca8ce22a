import { setTimeout as sleep } from "node:timers/promises";
import type { WorkerAssignment } from "../messages.ts";
import { acquireAnswer, ContractBreach, releaseAnswer } from "./contract-answers.ts";
import type { Station } from "./station.ts";

/** Numbers from 0 to 1 that spread evenly, however many are taken: multiples of the golden ratio. */
const spread = (index: number): number => (index * 0.6180339887498949) % 1;

/**
 * The closed loop of `--rate max`: so many cycles of acquire and release in flight, each on a key of its own, until the
 * station closes, or until there were enough.
 */
export function runSaturation(
  station: Station,
  { inFlight, cycles = Number.POSITIVE_INFINITY, holdMs }: NonNullable<WorkerAssignment["saturation"]>,
): void {
  // Without holds it is the benchmark: an acquire is one entry, which says how long it took.
  const holds = holdMs !== undefined && holdMs > 0;
  let ended = false;
  let begun = 0;
  const loops = Array.from({ length: inFlight }, (_, lane) =>
    runLane(station, lane).catch((error: unknown) => {
      if (!(error instanceof ContractBreach)) throw error;
      station.breach(error);
    }),
  );
  station.beforeClose(async () => {
    ended = true;
    await Promise.all(loops);
  });

  async function runLane({ lock, journal, assignment }: Station, lane: number): Promise<void> {
    const { signal } = new AbortController();
    const { worker, incarnation, ttlMs } = assignment;
    const { path } = assignment.lock;
    for (let cycle = 0; !ended && begun < cycles; cycle += 1) {
      begun += 1;
      // Entries are spelled here: tens of thousands a second, all alike. The key stands for the execution, too.
      const key = `${worker}.${incarnation}-${lane}-${cycle}`;
      const invokedAtNs = journal.now();
      if (holds) journal.recordSpelled(`"op":"acquire","phase":"invoke","key":"${key}"`);
      const grant = acquireAnswer(await lock.acquire(key, ttlMs, { signal }), path);
      const took = holds ? "" : `,"detail":{"tookNs":${journal.now() - invokedAtNs}}`;
      if (grant.outcome !== "granted") {
        const phase = grant.outcome === "indeterminate" ? "info" : "fail";
        journal.recordSpelled(`"op":"acquire","phase":"${phase}","outcome":"${grant.outcome}","key":"${key}"${took}`);
        continue;
      }
      const hold = `"key":"${key}","token":${JSON.stringify(grant.token)}`;
      journal.recordSpelled(`"op":"acquire","phase":"ok","outcome":"granted",${hold}${took}`);
      if (holds) await sleep((holdMs ?? 0) * spread(begun));
      journal.recordSpelled(`"op":"release","phase":"invoke",${hold}`);
      const { outcome } = releaseAnswer(await lock.release(key, grant.token), path);
      const phase = outcome === "released" ? "ok" : outcome === "unknown" ? "info" : "fail";
      journal.recordSpelled(`"op":"release","phase":"${phase}","outcome":"${outcome}",${hold}`);
    }
  }
}
